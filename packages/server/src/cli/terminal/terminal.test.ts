import { once } from 'node:events'
import { join } from 'node:path'
import { stripVTControlCharacters } from 'node:util'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { hasPseudoTerminals, showOnTerminal, startOnTerminal } from '../../../test-support/pseudo-terminal.ts'
import { runBugle } from '../../../test-support/run-bugle.ts'
import { temporaryFolder } from '../../../test-support/temporary-folder.ts'
import { widthOf } from './fit.ts'

const ESCAPE = '\u001b'
const CTRL_C = '\u0003'
const folder = temporaryFolder()
const settings = { BUGLE_DATABASE_URL: `sqlite:${join(folder.path, 'bugle.db')}`, BUGLE_PORT: '0' }

beforeAll(async () => {
  expect((await runBugle(['demo', '--count', '5'], settings)).code).toBe(0)
})
afterAll(() => folder[Symbol.dispose]())

describe.runIf(hasPseudoTerminals)('on a terminal', () => {
  it('has colours, and fits its width', async () => {
    const shown = await showOnTerminal(['doctor', '--quick'], { columns: 60, settings })
    expect(shown).toContain(`${ESCAPE}[32mok${ESCAPE}[39m`)
    const lines = stripVTControlCharacters(shown).trimEnd().split('\n')
    expect(lines[0]).toBe('         CHECK            RESULT')
    for (const line of lines) expect(widthOf(line)).toBeLessThanOrEqual(60)
  })

  it('shows how far the checks of the whole database are', async () => {
    const shown = await showOnTerminal(['doctor'], { columns: 100, settings })
    for (const stage of ['Checking integrity', 'Recounting'])
      expect(shown).toMatch(new RegExp(`${stage} ░+ 0%.*${stage} █+ 100%`, 's'))
  })

  it('has none if NO_COLOR is set', async () => {
    const without = { ...settings, NO_COLOR: '1' }
    const shown = await showOnTerminal(['key', 'list'], { columns: 60, settings: without })
    expect(shown).toMatch(/^key_\w{26}\n {2}project {2}demo\n/)
    expect(shown).not.toContain(ESCAPE)
  })

  it('errors are coloured too', async () => {
    const shown = await showOnTerminal(['nonsense'], { columns: 60, settings })
    expect(shown).toContain(`${ESCAPE}[31mbugle:${ESCAPE}[39m no matching command`)
  })

  it('the log of a server is readable', async () => {
    const server = startOnTerminal(['serve'], { columns: 80, settings })
    let shown = ''
    server.stdout.setEncoding('utf8').on('data', (chunk: string) => (shown += chunk))
    await expect.poll(() => shown).toContain('is listening on')
    server.stdin.write(CTRL_C)
    await once(server, 'close')
    expect(stripVTControlCharacters(shown)).toMatch(
      /\d\d:\d\d:\d\d info {2}stopping reason=SIGINT drainSeconds=0\r$/m,
    )
    expect(shown).not.toContain('{"level"')
  })
})

it('in a pipe there are no colours, whatever NO_COLOR is', async () => {
  const { stdout } = await runBugle(['doctor', '--quick'], { ...settings, NO_COLOR: '' })
  expect(stdout).toMatch(/^ok +schema/m)
  expect(stdout).not.toContain(ESCAPE)
})
