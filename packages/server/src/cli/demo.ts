import { isSlug } from '@bugle/contract'
import { systemClock } from '../clock.ts'
import type { Config } from '../config.ts'
import { addDemoUsage, DEMO_KEYS } from '../demo/add-usage.ts'
import { planDemo } from '../demo/plan.ts'
import { playDemo } from '../demo/play.ts'
import { DAY_MS } from '../demo/world.ts'
import { normaliseEmail } from '../domain/people/users.ts'
import { makeDemoProject } from '../domain/projects/demo.ts'
import type { UserRecord } from '../model/people/users.ts'
import type { ProjectRecord } from '../model/projects.ts'
import type { Storage } from '../storage/storage.ts'
import { type Command, CommandError, type Input, UsageError } from './command.ts'
import { listeningUrl, serverUrl } from './listening.ts'
import { printable } from './terminal/printable.ts'
import { progressBar } from './terminal/progress.ts'

const DEFAULTS = { project: 'demo', count: 300, days: 60, seed: 1 }
const MAX_COUNT = 20_000
const MAX_DAYS = 365
const RUNNING_TIMEOUT_MS = 1_000

/** Fills a project with made-up issues, for trying out Bugle with data. */
export const demoCommand: Command = {
  name: 'demo',
  summary: 'Fill a project with sample issues',
  mayCreateDatabase: true,
  positionals: [],
  options: {
    project: {
      type: 'string',
      value: 'SLUG',
      meaning: `the project, created if it does not exist; default: ${DEFAULTS.project}`,
    },
    count: { type: 'string', value: 'N', meaning: `number of issues; default: ${DEFAULTS.count}` },
    days: { type: 'string', value: 'N', meaning: `how many days they span; default: ${DEFAULTS.days}` },
    seed: {
      type: 'string',
      value: 'N',
      meaning: `a different seed creates different issues; default: ${DEFAULTS.seed}`,
    },
    as: {
      type: 'string',
      value: 'EMAIL',
      multiple: true,
      meaning: 'the person who makes the changes in the history; default: a key',
    },
  },
  async run(input, { config, withStorage, terminal }) {
    const now = systemClock()
    const slug = readSlug(input)
    const count = readNumber(input, 'count', DEFAULTS.count, MAX_COUNT)
    const days = readNumber(input, 'days', DEFAULTS.days, MAX_DAYS)
    const seed = readNumber(input, 'seed', DEFAULTS.seed, Number.MAX_SAFE_INTEGER)
    return withStorage(async (storage) => {
      const people = await Promise.all(input.texts('as').map((email) => findTriager(storage, email)))
      const { project, ...tokens } = await findOrMakeProject(storage, slug, now - days * DAY_MS)
      const steps = planDemo({ count, days, seed, now })
      const progress = progressBar(terminal, `Filling ${slug}`, steps.length)
      await playDemo({ storage, project, steps, people, onStep: progress.show })
      progress.end()
      const reports = steps.filter(({ kind }) => kind === 'report').length
      if (tokens.publicToken !== undefined) await addDemoUsage(storage, project, { reports, now })
      const changes = steps.length - reports
      const url = `${serverUrl(config)}/projects/${slug}`
      const parts = [
        `Added ${count} issues to ${slug}, with ${reports} reports and ${changes} changes.`,
        ...keysText(tokens),
        await invitation(storage, config, terminal.colours.accent(url)),
      ]
      return {
        json: { projectId: project.id, slug, issues: count, reports, changes, ...tokens, url },
        text: parts.join('\n\n'),
      }
    })
  },
}

interface Tokens {
  readonly publicToken?: string
  readonly secretToken?: string
}

async function findTriager(storage: Storage, email: string): Promise<UserRecord> {
  const user = await storage.users.find(normaliseEmail(email))
  if (user === undefined) throw new CommandError(`no user has the email address ${printable(email)}`)
  if (user.role === 'viewer' || user.projectIds !== null)
    throw new CommandError(`${user.email} is not allowed to change the issues of all projects`)
  return user
}

async function findOrMakeProject(
  storage: Storage,
  slug: string,
  createdAt: number,
): Promise<{ readonly project: ProjectRecord } & Tokens> {
  const project = await storage.projects.find(slug)
  if (project !== undefined) return { project }
  const made = await makeDemoProject(storage, { slug, createdAt, keyNames: DEMO_KEYS })
  if (made === undefined) throw new CommandError(`another project has just been given the slug "${slug}"`)
  return made
}

function keysText({ publicToken, secretToken }: Tokens): readonly string[] {
  if (secretToken === undefined) return []
  return [
    'The project is new. Its secret key is shown only once:',
    `  public key (for apps)       ${publicToken}\n  secret key (for your team)  ${secretToken}`,
  ]
}

/** The next steps, ending with the URL to open. */
async function invitation({ users }: Storage, config: Config, url: string): Promise<string> {
  const steps = [
    ...((await isRunning(config)) ? [] : ['start the server: npx bugle serve']),
    ...((await users.list(null, 1)).length > 0
      ? []
      : ['add yourself: npx bugle user add --email you@example.com --name You --role admin']),
  ]
  if (steps.length === 0) return `Open ${url}`
  return ['To see it:', ...[...steps, `open ${url}`].map((step, index) => `  ${index + 1}. ${step}`)].join(
    '\n',
  )
}

/** Whether a server with these settings is running on this machine. */
async function isRunning(config: Config): Promise<boolean> {
  return fetch(`${listeningUrl(config)}/healthz`, { signal: AbortSignal.timeout(RUNNING_TIMEOUT_MS) }).then(
    ({ ok }) => ok,
    () => false,
  )
}

function readSlug(input: Input): string {
  const slug = input.text('project') ?? DEFAULTS.project
  if (!isSlug(slug))
    throw new UsageError(
      '--project must have 1 to 63 characters from a-z, 0-9 and -, and not start or end with -',
    )
  return slug
}

function readNumber(input: Input, option: string, fallback: number, maximum: number): number {
  const text = input.text(option) ?? String(fallback)
  const number = Number(text)
  if (!/^\d+$/.test(text) || number < 1 || number > maximum)
    throw new UsageError(`--${option} must be a number from 1 to ${maximum}`)
  return number
}
