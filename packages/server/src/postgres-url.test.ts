import { describe, expect, it } from 'vitest'
import { dropPassword, hidePassword, parsePostgresUrl } from './postgres-url.ts'

describe('a postgres:// address', () => {
  it.each([
    ['postgres://db.example/bugle', ['postgres://db.example/bugle'], false],
    ['postgresql://u:p%40@[::1]:5433/bugle', ['postgresql://u:p%40@[::1]:5433/bugle'], false],
    ['postgres:///bugle?host=/run/postgresql', ['postgres:///bugle?host=%2Frun%2Fpostgresql'], false],
    ['postgres://db/bugle?target_session_attrs=any', ['postgres://db/bugle'], false],
    ['postgres://db/bugle?target_session_attrs=read-write', ['postgres://db/bugle'], true],
    [
      'postgres://u:p@h1,h2:5433/bugle?target_session_attrs=read-write&sslmode=verify-full',
      [
        'postgres://u:p@h1/bugle?sslmode=verify-full&uselibpqcompat=true',
        'postgres://u:p@h2:5433/bugle?sslmode=verify-full&uselibpqcompat=true',
      ],
      true,
    ],
    ['postgres://[::1]:1,127.0.0.1:2/b', ['postgres://[::1]:1/b', 'postgres://127.0.0.1:2/b'], true],
  ])('%s names its hosts in the order to try them', (text, hosts, mustBeWritable) => {
    const parsed = parsePostgresUrl(text)
    expect({ hosts: parsed.hosts.map(decoded), mustBeWritable: parsed.mustBeWritable }).toEqual({
      hosts: hosts.map(decoded),
      mustBeWritable,
    })
  })

  it.each([
    ['postgres://db.example', /with a database/],
    ['postgres://db.example/', /with a database/],
    ['https://db.example/bugle', /with a database/],
    ['postgres://h1:port,h2/bugle', /cannot be read: "h1:port"/],
    ['postgres://h1,,h2/bugle', /cannot be read: ""/],
    ['postgres://h1/bugle?target_session_attrs=standby', /must accept writes: use read-write/],
    ['postgres://h1/bugle?connect_timeout=0', /from 1 to 9999/],
    ['postgres://h1/bugle?connect_timeout=soon', /connect_timeout=soon/],
    [
      'postgres://h1/bugle?sslmode=prefer',
      /sslmode=prefer, but it must be one of disable, require, verify-ca, verify-full/,
    ],
    ['postgres://h1/bugle?sslmode=verify-ca', /needs sslrootcert/],
  ])('%s is refused', (text, message) => {
    expect(() => parsePostgresUrl(text)).toThrow(message)
  })

  it('says how long to wait for a connection', () => {
    expect(parsePostgresUrl('postgres://db/bugle').connectTimeoutMs).toBe(5_000)
    const { hosts, connectTimeoutMs } = parsePostgresUrl('postgres://db/bugle?connect_timeout=30')
    expect({ hosts, connectTimeoutMs }).toEqual({ hosts: ['postgres://db/bugle'], connectTimeoutMs: 30_000 })
  })

  it('returns its settings, from options or separate parameters', () => {
    const options = encodeURIComponent('-c jit=on --random-page-cost=2 -cwork_mem=8MB -c a.b=x\\ y')
    const parsed = parsePostgresUrl(`postgres://db/bugle?options=${options}&statement_timeout=2000`)
    expect(Object.fromEntries(parsed.settings)).toEqual({
      jit: 'on',
      random_page_cost: '2',
      work_mem: '8MB',
      'a.b': 'x y',
      statement_timeout: '2000',
    })
    expect(parsed.options).toBe('-c jit=on --random-page-cost=2 -cwork_mem=8MB -c a.b=x\\ y')
    expect(parsed.hosts).toEqual(['postgres://db/bugle'])
  })

  it.each([
    ['postgres://u:secret@h1,h2:1/b', 'postgres://u:…@h1,h2:1/b'],
    ['postgres://u:se@cret@h1/b', 'postgres://u:…@h1/b'],
    ['postgres://u@h1:1,h2/b?password=secret&x=1', 'postgres://u@h1:1,h2/b?password=…&x=1'],
    ['postgres://h1:5432,u/b', 'postgres://h1:5432,u/b'],
  ])('%s is shown without its password', (url, shown) => {
    expect(hidePassword(url)).toBe(shown)
  })

  it.each([
    ['postgres://u:secret@h1:1,h2:2/b', 'postgres://u@h1:1,h2:2/b'],
    ['postgres://u@h1/b?password=secret', 'postgres://u@h1/b'],
    ['postgres://u@h1/b?password=secret&x=1', 'postgres://u@h1/b?x=1'],
    ['postgres://u@h1/b?x=1&password=secret&y=2', 'postgres://u@h1/b?x=1&y=2'],
    ['postgres://u@h1/b?x=1&password=secret', 'postgres://u@h1/b?x=1'],
  ])('%s is passed to other programs without it', (url, given) => {
    expect(dropPassword(url)).toBe(given)
  })
})

function decoded(url: string): string {
  return decodeURIComponent(url)
}
