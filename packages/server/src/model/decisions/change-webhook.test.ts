import { describe, expect, it } from 'vitest'
import type { AttemptResult, WebhookRecord } from '../webhooks.ts'
import { applyVerdict, changeWebhook, EVENTS_LOST, rotateSecrets, secretsAt } from './change-webhook.ts'

const NOW = Date.UTC(2026, 10, 15, 9)
const DAY = 86_400_000
const WEBHOOK: WebhookRecord = {
  id: 'whk_1',
  projectId: 'prj_1',
  number: 1,
  name: 'Team',
  url: 'https://a.example/',
  eventTypes: null,
  includeSecurity: false,
  format: 'standard',
  status: 'active',
  pausedReason: null,
  secrets: [{ secret: 'a', until: null }],
  createdAt: 0,
  updatedAt: 0,
  lastSuccessAt: null,
  failingSince: null,
}
const PAUSED: WebhookRecord = { ...WEBHOOK, status: 'paused', pausedReason: 'Why', failingSince: 5 }

describe('a change', () => {
  it.each([
    { url: 'https://b.example/' },
    { eventTypes: ['issue.created'] as const },
    { status: 'active' as const },
  ])('that neither pauses nor resumes creates no event: %j', (patch) => {
    const expected = { webhook: { ...WEBHOOK, ...patch, updatedAt: NOW }, event: null }
    expect(changeWebhook(WEBHOOK, patch, { at: NOW, lost: null })).toEqual(expected)
  })

  it('that pauses creates an event', () => {
    const { webhook, event } = changeWebhook(WEBHOOK, { status: 'paused' }, { at: NOW, lost: null })
    expect(webhook).toMatchObject({ status: 'paused', pausedReason: 'Paused manually.' })
    expect(event).toMatchObject({ type: 'webhook.paused', reason: 'Team (whk_1): Paused manually.' })
  })

  it.each([
    [null, 'Team (whk_1): It continues where it stopped.'],
    [EVENTS_LOST, `Team (whk_1): ${EVENTS_LOST}`],
  ])('that resumes clears the failure, and records where it continues', (lost, reason) => {
    const { webhook, event } = changeWebhook(PAUSED, { status: 'active' }, { at: NOW, lost })
    expect(webhook).toMatchObject({ status: 'active', pausedReason: null, failingSince: null })
    expect(event).toMatchObject({ type: 'webhook.resumed', reason })
  })
})

describe('an attempt', () => {
  const result: AttemptResult = {
    status: 410,
    error: 'unsuccessful-status',
    durationMs: 1,
    response: null,
    retryAfterSeconds: null,
  }
  const verdict = { delivery: { kind: 'failed' }, failingSince: NOW, pausedReason: 'Gone.' } as const

  it('pauses an active webhook, but not one that is already paused', () => {
    expect(applyVerdict(WEBHOOK, verdict, { now: NOW, result })).toMatchObject({
      webhook: { status: 'paused', pausedReason: 'Gone.', failingSince: NOW, lastSuccessAt: null },
      event: { type: 'webhook.paused', reason: 'Team (whk_1): Gone.' },
    })
    expect(applyVerdict(PAUSED, verdict, { now: NOW, result })).toMatchObject({
      webhook: { status: 'paused', pausedReason: 'Why' },
      event: null,
    })
  })

  it('that succeeds is recorded', () => {
    const taken = { delivery: { kind: 'delivered' }, failingSince: null, pausedReason: null } as const
    const decision = applyVerdict(WEBHOOK, taken, { now: NOW, result: { ...result, error: null } })
    expect(decision).toEqual({ webhook: { ...WEBHOOK, lastSuccessAt: NOW }, event: null })
  })
})

describe('secrets', () => {
  it('are few, however often they are replaced', () => {
    let secrets = WEBHOOK.secrets
    for (const secret of ['b', 'c', 'd', 'e', 'f'])
      secrets = rotateSecrets(secrets, { secret, previousUntil: NOW + DAY, at: NOW })
    expect(secrets.map(({ secret }) => secret)).toEqual(['f', 'e', 'd', 'c', 'b'])
    expect(secretsAt(secrets, NOW + DAY - 1)).toHaveLength(5)
    expect(secretsAt(secrets, NOW + DAY)).toEqual([{ secret: 'f', until: null }])
  })
})
