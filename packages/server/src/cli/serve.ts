import { once } from 'node:events'
import { type App, createApp } from '../app.ts'
import { systemClock } from '../clock.ts'
import { setUpDemo } from '../domain/demo.ts'
import { VERSION } from '../version.ts'
import type { Command, Terminal } from './command.ts'

export const serveCommand: Command = {
  name: 'serve',
  summary: 'Run the server',
  positionals: [],
  options: {},
  async run(_, { config, terminal }) {
    const app = await createApp(config, { onCrash: () => process.exit(1) })
    const address = await app.start()
    const url = config.publicUrl ?? address
    terminal.announce(`Bugle ${VERSION} is listening on ${url}`)
    await welcome(app, url, terminal)
    // npm passes a signal on that the terminal has sent to us already: the second one must not end us half way.
    const [signal] = await Promise.race([once(process, 'SIGTERM'), once(process, 'SIGINT')])
    process.on('SIGTERM', ignore).on('SIGINT', ignore)
    app.logger.info({ signal }, 'stopping')
    await app.stop()
    return { json: { stopped: true }, text: '' }
  },
}

/** On an empty database: a project to try things with, and its keys, shown this once. */
async function welcome({ storage }: App, url: string, terminal: Terminal): Promise<void> {
  const demo = await setUpDemo(storage, systemClock())
  if (demo === undefined) return
  terminal.announce(`
The database was empty, so there is now a project "demo" with two keys. They are shown only now:

  public key (for apps)       ${demo.publicToken}
  secret key (for your team)  ${demo.secretToken}

Send a first report:

  curl ${url}/v1/issues \\
    -H 'Authorization: Bearer ${demo.publicToken}' \\
    -H 'Content-Type: application/json' \\
    -d '{"title": "Settings screen stays blank"}'

and list it:

  curl ${url}/v1/issues -H 'Authorization: Bearer ${demo.secretToken}'

The API is described at ${url}/docs. Stop with Ctrl+C.
`)
}

function ignore(): void {}
