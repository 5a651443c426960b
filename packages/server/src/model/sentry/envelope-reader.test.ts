import { describe, expect, test } from 'vitest'
import { envelopeOf } from '../../../test-support/sentry-stage.ts'
import { createEnvelopeReader, MalformedEnvelope, type ReaderBounds } from './envelope-reader.ts'

const BOUNDS: ReaderBounds = {
  maxBytesOf: (type: string) => (type === 'skipped' ? 0 : 100),
  takeBytes: () => true,
  returnBytes() {},
}

/** Reads the bytes in pieces of this size. */
function read(bytes: Uint8Array | string, size = Number.POSITIVE_INFINITY, bounds = BOUNDS) {
  const reader = createEnvelopeReader(bounds)
  const all = Buffer.from(bytes)
  const step = Math.min(size, Math.max(1, all.length))
  for (let at = 0; at < all.length; at += step) reader.push(all.subarray(at, at + step))
  const items = reader
    .end()
    .map(({ type, payload, isMalformed }) => [
      type,
      payload === null ? null : Buffer.concat(payload.chunks).toString(),
      ...(isMalformed ? ['malformed'] : []),
    ])
  return { header: reader.header, items }
}

/** The examples of Sentry's developer documentation, "Envelopes", section "Full Examples". */
const EXAMPLES: Readonly<Record<string, readonly [envelope: string, items: readonly unknown[]]>> = {
  '2 items': [
    '{"event_id":"9ec79c33ec9942ab8353589fcb2e04dc"}\n{"type":"attachment","length":10,"content_type":"text/plain","filename":"hello.txt"}\n\ufeffHello\r\n\n{"type":"event","length":41,"content_type":"application/json","filename":"application.log"}\n{"message":"hello world","level":"error"}\n',
    [
      ['attachment', '\ufeffHello\r\n'],
      ['event', '{"message":"hello world","level":"error"}'],
    ],
  ],
  '2 items, last newline omitted': [
    '{}\n{"type":"attachment","length":10}\n\ufeffHello\r\n\n{"type":"event","length":41}\n{"message":"hello world","level":"error"}',
    [
      ['attachment', '\ufeffHello\r\n'],
      ['event', '{"message":"hello world","level":"error"}'],
    ],
  ],
  '2 empty attachments': [
    '{}\n{"type":"attachment","length":0}\n\n{"type":"attachment","length":0}\n\n',
    [
      ['attachment', ''],
      ['attachment', ''],
    ],
  ],
  '2 empty attachments, last newline omitted': [
    '{}\n{"type":"attachment","length":0}\n\n{"type":"attachment","length":0}\n',
    [
      ['attachment', ''],
      ['attachment', ''],
    ],
  ],
  'implicit length': ['{}\n{"type":"attachment"}\nhelloworld\n', [['attachment', 'helloworld']]],
  'implicit length, ended by the end': [
    '{}\n{"type":"attachment"}\nhelloworld',
    [['attachment', 'helloworld']],
  ],
  'no header, implicit length': ['{}\n{"type":"session"}\n{"started":1}', [['session', '{"started":1}']]],
  'no items': ['{}', []],
  'an unknown item': [
    '{}\n{"type":"skipped","length":3}\na\nb\n{"type":"event"}\n{}',
    [
      ['skipped', null],
      ['event', '{}'],
    ],
  ],
}

/** Those that the section "Items" calls malformed: what was complete before is kept. */
const MALFORMED: typeof EXAMPLES = {
  'a length that is too short': [
    '{}\n{"type":"event","length":2}\n{}\n{"type":"event","length":1}\n{}\n{"type":"event"}\n{}',
    [
      ['event', '{}'],
      ['event', '{'],
      ['malformed', null, 'malformed'],
    ],
  ],
  'a length that is too long': ['{}\n{"type":"event","length":9}\n{}\n', [['event', '{}\n', 'malformed']]],
  'a length that is no length': [
    '{}\n{"type":"event","length":-1}\n{}\n',
    [['malformed', null, 'malformed']],
  ],
  'an item without a type': ['{}\n{}\n{}\n{"type":"event"}\n{}', [['malformed', null, 'malformed']]],
  'an item without a header': ['{}\nhello\n', [['malformed', null, 'malformed']]],
}

describe.each(Object.entries({ ...EXAMPLES, ...MALFORMED }))(
  'an envelope with %s',
  (_, [envelope, items]) => {
    test.each([Number.POSITIVE_INFINITY, 1, 2, 7])('is read in pieces of %s bytes', (size) => {
      expect(read(envelope, size).items).toEqual(items)
    })
  },
)

test.each(['', '\n{}', 'x', '[]\n', '{"a":1', `{"a":"${'x'.repeat(70_000)}"}`])(
  'an envelope without a header is refused: %#',
  (envelope) => {
    expect(() => read(envelope)).toThrow(MalformedEnvelope)
    expect(() => read(envelope, 100)).toThrow(MalformedEnvelope)
  },
)

test('an item over its limit is not kept, whether or not it announces its length', () => {
  const long = 'x'.repeat(101)
  const envelope = envelopeOf(
    {},
    [{ type: 'event' }, long],
    [{ type: 'event', length: undefined }, long],
    [{ type: 'event' }, 'ok'],
  )
  for (const size of [1, 50, 1_000])
    expect(read(envelope, size).items).toEqual([
      ['event', null],
      ['event', null],
      ['event', 'ok'],
    ])
})

test('attachments are kept only while there is room', () => {
  let room = 100
  const bounds: ReaderBounds = {
    ...BOUNDS,
    takeBytes(type, count) {
      if (type !== 'attachment') return true
      if (count > room) return false
      room -= count
      return true
    },
    returnBytes(_, count) {
      room += count
    },
  }
  const file = [{ type: 'attachment' }, 'x'.repeat(60)] as const
  const envelope = envelopeOf({}, file, file, [{ type: 'event' }, '{}'])
  const { items } = read(envelope, 30, bounds)
  // The part of the second file that there was room for is returned.
  expect(room).toBe(40)
  expect(items.map(([type, payload]) => [type, payload !== null])).toEqual([
    ['attachment', true],
    ['attachment', false],
    ['event', true],
  ])
})

test('no more than 1,000 items are read', () => {
  const { items } = read(`{}\n${'{"type":"event"}\n{}\n'.repeat(2_000)}`)
  expect(items).toHaveLength(1_001)
  expect(items.at(-1)).toEqual(['malformed', null, 'malformed'])
})
