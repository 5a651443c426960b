import { expect, test } from 'vitest'
import { describeException } from './crash/exceptions.ts'
import { scrub } from './reports/scrub.ts'

const MEGABYTE = 1_000_000
/** A linear pattern takes about 50 ms for a megabyte, a quadratic one minutes. */
const MOST_CPU_MS = 2_000

/** Texts that the patterns start with, continue with or search for. */
const FRAGMENTS = [
  ...[
    'a',
    'A',
    '1',
    ' ',
    '\n',
    '"',
    "'",
    '`',
    '“',
    '\\',
    '\\"',
    '-',
    '_',
    '.',
    ':',
    '=',
    '@',
    '/',
    '?',
    '#',
    '(',
    ')',
  ],
  ...[
    ':1',
    ':1:1',
    '1:',
    ': ',
    '= ',
    '=:',
    'a:',
    'a=',
    'a-',
    'a.',
    'a@',
    '@a',
    '://',
    '://a',
    '://a@',
    '://?',
    '://a?:1',
  ],
  ...[
    '?:1',
    '#:1',
    'ann@example.com ',
    'ann@example.com',
    '"a',
    "'a",
    "a'",
    ' at ',
    '    at ',
    '\n    at ',
    'at 12:30:45\n',
  ],
  ...[
    '    at a (',
    ' (',
    'address at ',
    'async ',
    '@http://a/:1',
    'a@http://a/b.js:1:1\n',
    ' [as ',
    '<*/',
    'eval at ',
  ],
  ...[
    'token',
    'token=',
    'token="',
    "token='",
    'token\\"',
    'secret_',
    'secret=\\',
    'password',
    'passphrase:',
    'pwd:',
    'pwd="\\',
  ],
  ...[
    'session',
    'session_',
    'session_id',
    '"session_"',
    'auth',
    'auth-',
    'authorization: ',
    'cookie',
    'cookie: ',
    'Cookie: a\n',
  ],
  ...[
    'credential',
    'api_key',
    'apikey',
    'access-key=',
    'bearer ',
    'basic ',
    'Bearer a',
    'digest ',
    'token bearer ',
  ],
  ...[
    'eyJ',
    'eyJ.',
    'bgl_sec_',
    'sk-',
    'sk_',
    'rk-',
    'gha_',
    'github_pat_',
    'glpat-',
    'npm_',
    'xoxb-',
    'ya29.',
    'SG.',
  ],
  ...[
    'AKIA',
    'AIza',
    '-----BEGIN ',
    '-----BEGIN PRIVATE KEY-----',
    '-----END ',
    '-----BEGIN PRIVATE KEY-----a-',
  ],
  ...[
    'reading ',
    "reading '",
    'property "',
    'node_modules',
    'vendor',
    '0a',
    'a0',
    'a0-',
    '-0',
    '.0',
    '-A',
    '-abcdefgh',
    '\u{1f600}',
  ],
]

test.each<[string, (text: string) => unknown]>([
  ['scrubbing', scrub],
  [
    'describing an exception',
    (text) => describeException({ name: text, message: text, stack: `${text}\n    at ${text}` }),
  ],
])(
  '%s takes linear time for a megabyte of each fragment',
  (_, act) => {
    const slow = FRAGMENTS.filter((fragment) => {
      const text = `token${fragment.repeat(MEGABYTE / fragment.length)}!`
      const start = process.cpuUsage().user
      act(text)
      return (process.cpuUsage().user - start) / 1_000 > MOST_CPU_MS
    })
    expect(slow).toEqual([])
  },
  60_000,
)
