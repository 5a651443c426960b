import { once } from 'node:events'
import { setTimeout as sleep } from 'node:timers/promises'
import { drainSecondsOf, SETTINGS, type Setting } from '../config.ts'
import { collectGarbageOfStart, pauseOptimization, resumeOptimization, tuneV8 } from '../tune-v8.ts'
import { VERSION } from '../version.ts'
import type { Command, Terminal } from './command.ts'
import { failingToListen, openableUrl } from './listening.ts'
import { readableLog } from './terminal/log-lines.ts'

const PARENT_CHECK_MS = 250
/** An unresponsive database can delay a shutdown; the systemd unit and the compose file allow 20 seconds. */
const STOP_TIMEOUT_MS = 15_000
/** The settings that most installations need. */
const USED_MOST = [
  SETTINGS.databaseUrl,
  SETTINGS.host,
  SETTINGS.port,
  SETTINGS.publicUrl,
  SETTINGS.trustProxy,
  SETTINGS.drainSeconds,
]

export const serveCommand: Command = {
  name: 'serve',
  summary: 'Run the server',
  positionals: [],
  options: {},
  environment: USED_MOST.map(({ variable, meaning, default: text, ...about }: Setting<unknown>) => ({
    name: variable,
    meaning: `${meaning} Default: ${about.defaultText ?? text ?? 'not set'}.`.replaceAll('`', '"'),
  })),
  note: 'docs/configuration.md lists all settings; a running server shows it at /docs/configuration.',
  async run(_, { config, terminal, unknownSettings }) {
    for (const sentence of unknownSettings) terminal.warn(`${sentence}; docs/configuration.md lists them all`)
    // Loaded on demand, so that the other commands start faster.
    const { openApp } = await import('../open-app.ts')
    const app = await openApp(config, {
      onCrash: () => process.exit(1),
      onLoaded: pauseOptimization,
      onReady: resumeOptimization,
      ...readableOnTerminal(terminal),
    })
    try {
      const ended = Promise.race([signalled('SIGTERM'), signalled('SIGINT'), orphaned()])
      void ended.then((reason) => endAtLatest(STOP_TIMEOUT_MS, reason, terminal))
      const address = await app.start().catch(failingToListen(config))
      tuneV8()
      const url = config.publicUrl ?? openableUrl(address)
      terminal.announce(`Bugle ${VERSION} is listening on ${url}`)
      // Loaded after the server has started to listen, so that the first responses do not wait for it.
      const { welcome } = await import('./welcome.ts')
      await welcome(app, url, terminal)
      collectGarbageOfStart()
      const reason = await ended
      // npm forwards a signal that the terminal has already sent to this process. The second one must not interrupt the
      // shutdown.
      process.on('SIGTERM', ignore).on('SIGINT', ignore)
      // After Ctrl+C, a person is waiting, and no load balancer is involved.
      const drainSeconds = reason === 'SIGTERM' ? drainSecondsOf(config) : 0
      app.logger.info({ reason, drainSeconds }, 'stopping')
      app.drain()
      await sleep(drainSeconds * 1_000)
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
