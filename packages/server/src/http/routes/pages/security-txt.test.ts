import { expect, test } from 'vitest'
import { startApp } from '../../../../test-support/start-app.ts'

const PATH = '/.well-known/security.txt'
const NOW = Date.parse('2026-11-15T09:30:00Z')

test('does not exist without a configured contact', async () => {
  await using api = await startApp()
  expect((await api.send('GET', PATH)).status).toBe(404)
})

test('contains the contact, the expiry and the canonical URL', async () => {
  await using api = await startApp({
    clock: () => NOW,
    environment: {
      BUGLE_SECURITY_CONTACT: 'security@example.com, https://example.com/security',
      BUGLE_PUBLIC_URL: 'https://bugle.example.com',
    },
  })
  const { status, headers, text } = await api.send('GET', PATH)
  expect([status, headers.get('content-type')]).toEqual([200, 'text/plain; charset=utf-8'])
  expect(text.split('\n')).toEqual([
    'Contact: mailto:security@example.com',
    'Contact: https://example.com/security',
    'Expires: 2027-05-14T00:00:00.000Z',
    'Canonical: https://bugle.example.com/.well-known/security.txt',
    '',
  ])
})
