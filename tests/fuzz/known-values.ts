import fc from 'fast-check'
import { COMMENT_IDS } from './ids.ts'
import type { Known } from './values.ts'
import type { World } from './world.ts'

/** Few, so that a password that was set is soon tried. */
const PASSWORDS = ['correct horse battery', 'staple, not stable']

/** Fields of requests whose random values would hardly ever be valid. `receiverUrl` is a permitted destination for webhooks. */
export function knownValues({ projects, publicKeys, people }: World, receiverUrl: string): Known {
  const names = projects.flatMap(({ id, slug }) => [id, slug])
  const short = fc.string({ minLength: 1, maxLength: 20 }).map((text) => text.replaceAll('\0', 'x'))
  const password = fc.constantFrom(...PASSWORDS)
  return {
    email: fc.constantFrom(...people.map(({ email }) => email), 'nobody@example.com'),
    password,
    currentPassword: password,
    newPassword: password,
    token: fc.oneof(fc.constantFrom(...people.map(({ linkToken }) => linkToken)), fc.base64String()),
    publicKey: fc.constantFrom(...publicKeys),
    projectId: fc.constantFrom(...names, ...names, 'none', null),
    cursor: fc.oneof(fc.base64String(), fc.constantFrom('WyJ4IiwxXQ', '', 'e30')),
    fingerprint: fc.oneof(fc.constantFrom('a', 'b', 'c', null), short),
    submissionId: fc.oneof(fc.nat({ max: 200 }).map(String), fc.uuid(), fc.constant(null)),
    commentId: fc.oneof(fc.nat({ max: COMMENT_IDS }).map(String), fc.uuid()),
    page: fc.oneof(fc.integer({ min: 1, max: 4 }), fc.integer({ min: 1, max: 2_000 })),
    // These tests must not send anything to the Internet.
    url: fc.oneof(
      fc.constant(receiverUrl),
      fc.constantFrom(
        'http://127.0.0.1:9/',
        'http://10.0.0.1/',
        'ftp://127.0.0.1/',
        'https://localhost/',
        'x',
      ),
    ),
  }
}
