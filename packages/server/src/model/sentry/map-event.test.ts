import { IssueSubmission } from '@bugle/contract'
import { Ajv2020 } from 'ajv/dist/2020.js'
import { describe, expect, test } from 'vitest'
import { APPS } from '../../../test-support/sentry-platforms/apps.ts'
import { SERVERS } from '../../../test-support/sentry-platforms/servers.ts'
import { isStorableTimestamp } from '../../http/input/timestamps.ts'
import { submissionOfEvent, submissionOfFeedback, submissionOfUserReport } from './map-event.ts'
import type { Fields } from './values.ts'

const ajv = new Ajv2020({ strict: false, allErrors: true, allowUnionTypes: true })
ajv.addFormat('date-time', isStorableTimestamp)
const validate = ajv.compile(IssueSubmission)

function map(event: Fields) {
  const submission = submissionOfEvent(event)
  validate(submission)
  expect(validate.errors ?? []).toEqual([])
  return submission
}

describe.each(Object.entries({ ...APPS, ...SERVERS }))('an event of %s', (_, { event, expected, stack }) => {
  test('becomes a report', () => {
    const submission = map(event)
    expect(submission).toMatchObject(expected)
    expect(submission.exception?.[0]?.stack ?? '').toBe(stack)
    expect(JSON.stringify(submission)).not.toMatch(/ip_address|\{\{auto\}\}|token=secret/)
  })

  test('becomes a valid report even if any of its fields is something else', () => {
    for (const odd of [
      null,
      1,
      true,
      '',
      ' ',
      'x\0\ud800',
      [],
      [null],
      {},
      { values: 7 },
      { values: [1, {}] },
      [[]],
    ]) {
      for (const name of Object.keys(event)) map({ ...event, [name]: odd })
      for (const name of Object.keys((event['contexts'] as object | undefined) ?? {}))
        map({ ...event, contexts: { ...(event['contexts'] as object), [name]: odd } })
    }
  })
})

test('what is too long is cut', () => {
  const long = '🐞'.repeat(40_000)
  const many = Object.fromEntries(Array.from({ length: 300 }, (_, n) => [`${n}${long}`, long]))
  const frames = Array(1_000).fill({ function: long, filename: long, module: long, lineno: 1 })
  const submission = map({
    ...{ platform: long, release: long, dist: long, level: long, transaction: long, message: long },
    ...{ tags: many, extra: many, fingerprint: Array(100).fill(long), timestamp: 1e300 },
    ...{ user: { id: long, username: long, email: long }, sdk: { name: long, version: long } },
    contexts: { os: { name: long, version: long }, device: { model: long }, app: many },
    exception: { values: Array(40).fill({ type: long, value: long, stacktrace: { frames } }) },
  })
  expect(submission.occurredAt).toBeUndefined()
  expect(submission.exception).toHaveLength(10)
  expect(Object.keys(submission.metadata ?? {})).toHaveLength(50)
})

test.each([
  ['shop@2.4.1+512', '2.4.1', '512'],
  ['2.4.1', '2.4.1', undefined],
  ['@scope/shop@2.4.1', '2.4.1', undefined],
  ['8f3ad1c', '8f3ad1c', undefined],
  ['shop@', 'shop@', undefined],
])('the release %s is version %s and build %s', (release, appVersion, buildNumber) => {
  expect(map({ release })).toMatchObject({ appVersion, ...(buildNumber && { buildNumber }) })
})

test.each([
  [1_763_200_000, '2025-11-15T09:46:40.000Z'],
  ['2026-11-15T09:46:40+01:00', '2026-11-15T08:46:40.000Z'],
  ['2026-11-15T09:46:40.123456', '2026-11-15T09:46:40.123Z'],
  ['yesterday', undefined],
  [-1, undefined],
])('the timestamp %s is %s', (timestamp, occurredAt) => {
  expect(map({ timestamp }).occurredAt).toBe(occurredAt)
})

test('a message that is repeated as an exception without a type is no crash', () => {
  const exception = { values: [{ value: 'Hello', stacktrace: { frames: [{ function: 'main' }] } }] }
  expect(map({ message: 'Hello', exception })).toMatchObject({ title: 'Hello', category: 'bug' })
  expect(map({ exception })).toMatchObject({ title: 'Error: Hello', category: 'crash' })
})

test('an event that says nothing is a report all the same', () => {
  expect(map({})).toEqual({ title: 'Event without a message', category: 'bug', platform: 'other' })
})

test('a field cannot change the prototype of an object', () => {
  const { metadata } = map(JSON.parse('{"tags":{"__proto__":{"a":1},"b":"c"}}'))
  expect(metadata).toEqual({ b: 'c' })
})

describe('a report of a person', () => {
  test('needs their words', () => {
    expect(submissionOfFeedback({ contexts: { feedback: { message: ' ' } } })).toBeUndefined()
    expect(submissionOfUserReport({ name: 'Ada' })).toBeUndefined()
  })

  test('is from the user of the event if the feedback names no one', () => {
    const feedback = { message: 'Hello', associated_event_id: 'e' }
    const submission = submissionOfFeedback({
      user: { id: 7, email: 'ada@example.com' },
      contexts: { feedback },
    })
    expect(submission).toMatchObject({
      title: 'Hello',
      reporter: { id: '7', email: 'ada@example.com' },
      metadata: { crashEventId: 'e' },
    })
    expect(validate(submission)).toBe(true)
  })
})
