import { expect, test } from 'vitest'
import { NO_COLOURS } from '../terminal/colours.ts'
import { admittedText } from './transfer-texts.ts'

const PIPE = { columns: Number.POSITIVE_INFINITY, colours: NO_COLOURS }

test('an import lists added people and keys, and escapes their names', () => {
  const person = {
    email: 'eve@example.com',
    name: 'Eve\u001b[2K\nroot',
    role: 'admin',
    canSeeSecurity: true,
  } as const
  const key = {
    name: 'CI\r',
    ending: 'a1B2',
    scopes: ['issues:read', 'security:read'],
    isRevoked: false,
  } as const
  const text = admittedText({ people: [person], instanceKeys: [{ ...key, scopes: [...key.scopes] }] }, PIPE)
  expect(text.split('\n')).toEqual([
    '',
    '',
    'People added:',
    'EMAIL            NAME                   ROLE   SECURITY',
    'eve@example.com  Eve\\u{1b}[2K\\u{a}root  admin  yes',
    '',
    'Keys for all projects added:',
    'KEY    NAME     STATE   SCOPES',
    '…a1B2  CI\\u{d}  active  issues:read security:read',
  ])
})

test('an import without people and keys lists none', () => {
  expect(admittedText({ people: [], instanceKeys: [] }, PIPE)).toBe('')
})
