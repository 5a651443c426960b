import type { App } from '../app.ts'
import { systemClock } from '../clock.ts'
import { addressOfLink, makeFirstLink } from '../domain/people/one-time-links.ts'
import { type DemoProject, setUpDemo } from '../domain/projects/demo.ts'
import { showProject } from '../domain/projects/projects.ts'
import type { Terminal } from './command.ts'
import { jsonText } from './terminal/printable.ts'

/** If the database is empty, creates a demo project, its keys and the setup link, and shows them once. */
export async function welcome({ storage }: App, url: string, terminal: Terminal): Promise<void> {
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
