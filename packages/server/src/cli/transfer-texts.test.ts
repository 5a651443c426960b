import { expect, test } from 'vitest'
import { admittedText } from './transfer-texts.ts'

test('an import names whom and what it lets in, and obeys nothing that a name says', () => {
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
  const text = admittedText({ people: [person], instanceKeys: [{ ...key, scopes: [...key.scopes] }] })
  expect(text.split('\n')).toEqual([
    '',
    '',
    'These people were added:',
    'EMAIL            NAME                   ROLE   SECURITY',
    'eve@example.com  Eve\\u{1b}[2K\\u{a}root  admin  yes',
    '',
    'These keys for all projects were added:',
    'KEY    NAME     STATE  SCOPES',
    '…a1B2  CI\\u{d}  works  issues:read security:read',
  ])
})

test('an import that lets nobody in says nothing of it', () => {
  expect(admittedText({ people: [], instanceKeys: [] })).toBe('')
})
