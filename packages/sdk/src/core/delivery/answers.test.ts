import { expect, test } from 'vitest'
import { backoffMs, judgeAnswer, retryAfterMs, type Verdict } from './answers.ts'

const CALM = { _isOnline: () => true, _now: () => 0, _random: () => 1 }
const HALF_AN_HOUR = 30 * 60_000
const PROBLEM = { requestId: 'req_k3f9x2a7m1q0' }
const RETRY: Verdict = { status: 'queued', _milliseconds: 2_000, reason: 'retrying' }

test.each<readonly [status: number, body: unknown, verdict: Verdict]>([
  [201, { id: 'iss_1' }, { status: 'sent', issueId: 'iss_1' }],
  [200, { id: 'iss_1' }, { status: 'sent', issueId: 'iss_1' }],
  [409, PROBLEM, { status: 'sent', issueId: undefined }],
  ...[400, 410, 413, 415, 422].map((status) => [status, PROBLEM, { status: 'dropped' }] as const),
  ...[401, 403].map(
    (status) =>
      [status, PROBLEM, { status: 'queued', _milliseconds: HALF_AN_HOUR, reason: 'key-refused' }] as const,
  ),
  ...[404, 405, 418, 426].map(
    (status) => [status, PROBLEM, { status: 'queued', _milliseconds: HALF_AN_HOUR, reason: 'held' }] as const,
  ),
  ...[408, 425, 429, 500, 502, 503, 504].map((status) => [status, PROBLEM, RETRY] as const),
  // The response of a proxy, a captive portal or another service at the address is never final.
  ...[0, 204, 302, 400, 401, 403, 404, 409, 410, 413, 415, 422, 500].map(
    (status) => [status, undefined, RETRY] as const,
  ),
  [200, '<html>', RETRY],
  [200, { id: 'usr_1' }, RETRY],
  [201, { id: 7 }, RETRY],
  [400, { error: 'Bad Request' }, RETRY],
])('%d with %j means %j', (status, body, verdict) => {
  expect(judgeAnswer({ status, body }, 0, CALM)).toEqual(verdict)
})

test('a delay requested by the server takes precedence over the backoff', () => {
  expect(judgeAnswer({ status: 503, _retryAfter: '10' }, 9, CALM)).toEqual({
    status: 'queued',
    _milliseconds: 12_000,
    reason: 'held',
  })
})

test('a device that is offline reports that as the reason', () => {
  expect(judgeAnswer({ status: 0 }, 3, { ...CALM, _isOnline: () => false })).toMatchObject({
    _milliseconds: 16_000,
    reason: 'offline',
  })
})

test.each([
  [0, 2_000],
  [1, 4_000],
  [3, 16_000],
  [7, 256_000],
  [8, 300_000],
  [99, 300_000],
])('after %d failures the delay is between 1 s and %d ms', (failures, most) => {
  expect(backoffMs(failures, () => 0)).toBe(1_000)
  expect(backoffMs(failures, () => 1)).toBe(most)
})

const NOW = Date.parse('2026-11-15T12:00:00Z')
const SOON = 'Sun, 15 Nov 2026 12:00:30 GMT'

test.each([
  [null, null, 0],
  ['', null, 0],
  ['0', null, 0],
  ['2', null, 2_000],
  ['99999999', null, 86_400_000],
  [SOON, null, 30_000],
  ['Sun, 15 Nov 2026 11:00:00 GMT', null, 0],
  ['soon', null, 0],
  // The device's clock may be wrong, so the date is relative to the server's clock.
  [SOON, 'Sun, 15 Nov 2026 12:00:20 GMT', 10_000],
  [SOON, 'never', 30_000],
])('Retry-After %j with the date %j means %d ms', (retryAfter, date, milliseconds) => {
  expect(retryAfterMs({ _retryAfter: retryAfter, _date: date }, NOW)).toBe(milliseconds)
})
