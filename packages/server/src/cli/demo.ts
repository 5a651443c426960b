import { isSlug } from '@bugle/contract'
import { systemClock } from '../clock.ts'
import { makeDemoProject } from '../domain/demo.ts'
import { normaliseEmail } from '../domain/users.ts'
import type { ProjectRecord } from '../model/projects.ts'
import type { UserRecord } from '../model/users.ts'
import type { Storage } from '../storage/storage.ts'
import { type Command, CommandError, type Input, UsageError } from './command.ts'
import { DEMO_KEYS, furnishDemo } from './demo/furnish.ts'
import { planDemo } from './demo/plan.ts'
import { playDemo } from './demo/play.ts'
import { DAY_MS } from './demo/world.ts'
import { printable } from './terminal/printable.ts'
import { progressBar } from './terminal/progress.ts'

const DEFAULTS = { project: 'demo', count: 300, days: 60, seed: 1 }
const MAX_COUNT = 20_000
const MAX_DAYS = 365

/** Fills a project with made-up issues, to look at Bugle with something in it. */
export const demoCommand: Command = {
  name: 'demo',
  summary: 'Fill a project with plausible issues of the last weeks',
  mayCreateDatabase: true,
  positionals: [],
  options: {
    project: {
      type: 'string',
      value: 'SLUG',
      meaning: `the project, made if missing; else ${DEFAULTS.project}`,
    },
    count: { type: 'string', value: 'N', meaning: `how many issues, else ${DEFAULTS.count}` },
    days: { type: 'string', value: 'N', meaning: `over how many days, else ${DEFAULTS.days}` },
    seed: { type: 'string', value: 'N', meaning: 'another number tells other stories' },
    as: {
      type: 'string',
      value: 'EMAIL',
      multiple: true,
      meaning: 'somebody who made the changes, as the history tells it; else a key did',
    },
  },
  async run(input, { withStorage, terminal }) {
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
      if (tokens.publicToken !== undefined) await furnishDemo(storage, project, { reports, now })
      const changes = steps.length - reports
      return {
        json: { projectId: project.id, slug, issues: count, reports, changes, ...tokens },
        text: `Added ${count} issues to ${slug}, with ${reports} reports and ${changes} changes.${keysText(tokens)}`,
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
  if (user === undefined) throw new CommandError(`there is nobody with the address ${printable(email)}`)
  if (user.role === 'viewer' || user.projectIds !== null)
    throw new CommandError(`${user.email} may not change the issues of every project`)
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
  if (made === undefined) throw new CommandError(`another project was given the slug "${slug}" just now`)
  return made
}

function keysText({ publicToken, secretToken }: Tokens): string {
  if (secretToken === undefined) return ''
  return `

The project is new. Its secret key is shown only now:

  public key (for apps)       ${publicToken}
  secret key (for your team)  ${secretToken}`
}

function readSlug(input: Input): string {
  const slug = input.text('project') ?? DEFAULTS.project
  if (!isSlug(slug))
    throw new UsageError('--project must have 1 to 63 of a-z, 0-9 and -, and neither begin nor end with -')
  return slug
}

function readNumber(input: Input, option: string, fallback: number, maximum: number): number {
  const text = input.text(option) ?? String(fallback)
  const number = Number(text)
  if (!/^\d+$/.test(text) || number < 1 || number > maximum)
    throw new UsageError(`--${option} must be a number from 1 to ${maximum}`)
  return number
}
