import { once } from 'node:events'
import type { App } from '../app.ts'
import { systemClock } from '../clock.ts'
import { collectGarbageOfStart, tuneGarbageCollection } from '../collect-garbage.ts'
import { SETTINGS } from '../config.ts'
import { addressOfLink, makeFirstLink } from '../domain/people/one-time-links.ts'
import { type DemoProject, setUpDemo } from '../domain/projects/demo.ts'
import { showProject } from '../domain/projects/projects.ts'
import { VERSION } from '../version.ts'
import type { Command, Terminal } from './command.ts'
import { failingToListen, openableUrl } from './listening.ts'
import { readableLog } from './terminal/log-lines.ts'
import { jsonText } from './terminal/printable.ts'

const PARENT_CHECK_MS = 250
/** An unresponsive database can delay a shutdown; the systemd unit allows 20 seconds. */
const STOP_TIMEOUT_MS = 15_000
/** The settings that most installations need. */
const USED_MOST = [
  SETTINGS.databaseUrl,
  SETTINGS.host,
  SETTINGS.port,
  SETTINGS.publicUrl,
  SETTINGS.trustProxy,
]

export const serveCommand: Command = {
  name: 'serve',
  summary: 'Run the server',
  positionals: [],
  options: {},
  environment: USED_MOST.map(({ variable, meaning, default: text }) => ({
    name: variable,
    meaning: `${meaning.replaceAll('`', '"')} Default: ${text ?? 'not set'}.`,
  })),
  note: 'docs/configuration.md lists all settings; a running server shows it at /docs/configuration.',
  async run(_, { config, terminal, unknownSettings }) {
    for (const sentence of unknownSettings) terminal.warn(`${sentence}; docs/configuration.md lists them all`)
    // Loaded on demand, so that the other commands start faster.
    const { createApp } = await import('../app.ts')
    const app = await createApp(config, { onCrash: () => process.exit(1), ...readableOnTerminal(terminal) })
    try {
      const ended = Promise.race([signalled('SIGTERM'), signalled('SIGINT'), orphaned()])
      void ended.then((reason) => endAtLatest(STOP_TIMEOUT_MS, reason, terminal))
      const address = await app.start().catch(failingToListen(config))
      tuneGarbageCollection()
      const url = config.publicUrl ?? openableUrl(address)
      terminal.announce(`Bugle ${VERSION} is listening on ${url}`)
      await welcome(app, url, terminal)
      collectGarbageOfStart()
      const reason = await ended
      // npm forwards a signal that the terminal has already sent to this process. The second one must not interrupt the
      // shutdown.
      process.on('SIGTERM', ignore).on('SIGINT', ignore)
      app.logger.info({ reason }, 'stopping')
    } finally {
      await app.stop()
    }
    return undefined
  },
}

/** On a terminal, people read the log; elsewhere, programs do. */
function readableOnTerminal({ errorColours, showsProgress }: Terminal) {
  if (!showsProgress) return {}
  return { logTo: readableLog((text) => process.stderr.write(text), errorColours) }
}

/** If the database is empty, creates a demo project, its keys and the setup link, and shows them once. */
async function welcome({ storage }: App, url: string, terminal: Terminal): Promise<void> {
  const demo = await setUpDemo(storage.actingAs('system', systemClock), systemClock())
  const token = demo && (await makeFirstLink(storage, systemClock()))
  const signInLink = token === undefined ? null : addressOfLink(url, token)
  const shown = demo === undefined ? null : { ...demo, project: showProject(demo.project) }
  if (terminal.isJson) terminal.print(jsonText({ url, demo: shown, signInLink }))
  if (demo !== undefined) terminal.announce(introduce(demo, url))
  if (signInLink !== null) terminal.announce(invite(signInLink))
  else if (!(await storage.users.hasAdmin())) terminal.announce(HOW_TO_SIGN_IN)
  if (demo !== undefined) terminal.announce(`Guides and API reference: ${url}/docs. Press Ctrl+C to stop.`)
}

function introduce({ publicToken, secretToken }: DemoProject, url: string): string {
  return `
The database was empty, so Bugle created a project "demo" with two keys. The secret key is shown only once:

  public key (for apps)       ${publicToken}
  secret key (for your team)  ${secretToken}

Send a first report:

  curl ${url}/v1/issues \\
    -H 'Authorization: Bearer ${publicToken}' \\
    -H 'Content-Type: application/json' \\
    -d '{"title": "Settings screen stays blank"}'

Then list it:

  curl ${url}/v1/issues -H 'Authorization: Bearer ${secretToken}'
`
}

function invite(signInLink: string): string {
  return `Open the dashboard and choose your password. This link works once, within 24 hours, and makes you the admin:

  ${signInLink}
`
}

const HOW_TO_SIGN_IN =
  'There is no admin yet. Add one, and open the link it prints: npx bugle user add --email you@example.com --name You --role admin'

/** Forces the process to exit if it has not done so in time. Everything that was acknowledged is stored by then. */
function endAtLatest(milliseconds: number, reason: string, terminal: Terminal): void {
  setTimeout(() => {
    terminal.warn(`shutdown took longer than ${milliseconds / 1_000} seconds and was aborted (${reason})`)
    process.exit(1)
  }, milliseconds).unref()
}

async function signalled(signal: NodeJS.Signals): Promise<string> {
  await once(process, signal)
  return signal
}

/** npm's shell does not forward signals: if the npm that started this process has exited, stop and release the port. */
function orphaned(): Promise<string> {
  const parent = process.ppid
  return new Promise((resolve) => {
    if (process.env['npm_lifecycle_event'] === undefined) return
    const watch = setInterval(() => {
      if (process.ppid === parent) return
      clearInterval(watch)
      resolve('npm has ended')
    }, PARENT_CHECK_MS)
    watch.unref()
  })
}

function ignore(): void {}
