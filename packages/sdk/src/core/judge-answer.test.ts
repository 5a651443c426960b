import { expect, test } from 'vitest'
import { judgeAnswer, type Verdict } from './judge-answer.ts'

const CALM = { failures: 0, isOnline: true, now: 0, random: () => 1 }
const HALF_AN_HOUR = 30 * 60_000

test.each<readonly [status: number, body: unknown, verdict: Verdict]>([
  [201, { id: 'iss_1' }, { kind: 'sent', issueId: 'iss_1' }],
  [200, { id: 'iss_1' }, { kind: 'sent', issueId: 'iss_1' }],
  [409, {}, { kind: 'sent', issueId: undefined }],
  [200, '<html>', { kind: 'hold', milliseconds: 2_000, reason: 'retrying' }],
  [204, undefined, { kind: 'hold', milliseconds: 2_000, reason: 'retrying' }],
  ...[400, 410, 413, 415, 422].map((status) => [status, {}, { kind: 'refused' }] as const),
  ...[401, 403, 404, 405, 418, 426].map(
    (status) => [status, {}, { kind: 'hold', milliseconds: HALF_AN_HOUR, reason: 'held' }] as const,
  ),
  ...[0, 302, 408, 425, 429, 500, 502, 503, 504].map(
    (status) => [status, {}, { kind: 'hold', milliseconds: 2_000, reason: 'retrying' }] as const,
  ),
])('%d with %j means %j', (status, body, verdict) => {
  expect(judgeAnswer({ status, body }, CALM)).toEqual(verdict)
})

test('a wish of the server comes before our own pace', () => {
  expect(judgeAnswer({ status: 503, retryAfter: '10' }, { ...CALM, failures: 9 })).toEqual({
    kind: 'hold',
    milliseconds: 12_000,
    reason: 'held',
  })
})

test('no answer four times in a row means a long pause, unless the device is offline', () => {
  const hidden = { ...CALM, failures: 3 }
  expect(judgeAnswer({ status: 0 }, hidden)).toMatchObject({ milliseconds: HALF_AN_HOUR })
  expect(judgeAnswer({ status: 0 }, { ...hidden, isOnline: false })).toMatchObject({
    milliseconds: 16_000,
    reason: 'offline',
  })
})
