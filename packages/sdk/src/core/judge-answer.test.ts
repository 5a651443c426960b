import { expect, test } from 'vitest'
import { judgeAnswer, type Verdict } from './judge-answer.ts'

const CALM = { isOnline: () => true, now: () => 0, random: () => 1 }
const HALF_AN_HOUR = 30 * 60_000

test.each<readonly [status: number, body: unknown, verdict: Verdict]>([
  [201, { id: 'iss_1' }, { status: 'sent', issueId: 'iss_1' }],
  [200, { id: 'iss_1' }, { status: 'sent', issueId: 'iss_1' }],
  [409, {}, { status: 'sent', issueId: undefined }],
  [200, '<html>', { status: 'queued', milliseconds: 2_000, reason: 'retrying' }],
  [204, undefined, { status: 'queued', milliseconds: 2_000, reason: 'retrying' }],
  ...[400, 410, 413, 415, 422].map((status) => [status, {}, { status: 'dropped' }] as const),
  ...[401, 403, 404, 405, 418, 426].map(
    (status) => [status, {}, { status: 'queued', milliseconds: HALF_AN_HOUR, reason: 'held' }] as const,
  ),
  ...[0, 302, 408, 425, 429, 500, 502, 503, 504].map(
    (status) => [status, {}, { status: 'queued', milliseconds: 2_000, reason: 'retrying' }] as const,
  ),
])('%d with %j means %j', (status, body, verdict) => {
  expect(judgeAnswer({ status, body }, 0, CALM)).toEqual(verdict)
})

test('a wish of the server comes before our own pace', () => {
  expect(judgeAnswer({ status: 503, retryAfter: '10' }, 9, CALM)).toEqual({
    status: 'queued',
    milliseconds: 12_000,
    reason: 'held',
  })
})

test('no answer four times in a row means a long pause, unless the device is offline', () => {
  expect(judgeAnswer({ status: 0 }, 3, CALM)).toMatchObject({ milliseconds: HALF_AN_HOUR })
  expect(judgeAnswer({ status: 0 }, 3, { ...CALM, isOnline: () => false })).toMatchObject({
    milliseconds: 16_000,
    reason: 'offline',
  })
})
