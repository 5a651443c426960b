import { expect, test } from 'vitest'
import { readLink } from './link.ts'

const SECRET = 'W-WNutFkVW9vAl0OSADlbDsajMZ56yNziswM1L3hJAM'
const KEY = 'bgl_pub_cU255SL2A7UgALOy5w3l9bMPYTEHDk3ppxUZ'

test('a link has the server, the key and the secret', () => {
  expect(readLink(`https://bugs.example.com/r#${KEY}.${SECRET}`)).toEqual({
    endpoint: 'https://bugs.example.com',
    publicKey: KEY,
    secret: SECRET,
  })
  expect(readLink(`https://example.com/bugs/r#${KEY}.${SECRET}`)?.endpoint).toBe('https://example.com/bugs')
})

test.each([
  '',
  '#',
  `#${KEY}`,
  `#${KEY}.`,
  `#${KEY}.${SECRET.slice(1)}`,
  `#${KEY}.${SECRET}x`,
  `#bgl_sec_x.${SECRET}`,
])('rejects an incomplete link: %s', (fragment) => {
  expect(readLink(`https://bugs.example.com/r${fragment}`)).toBeUndefined()
})
