import { createHash } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { envelopeOf } from '../../../test-support/sentry-stage.ts'
import {
  createEnvelopeReader,
  type EnvelopeItem,
  type FileSink,
  MalformedEnvelope,
  type ReaderBounds,
} from './envelope-reader.ts'

const BOUNDS: ReaderBounds = {
  maxBytesOf: (type: string) => (type === 'skipped' ? 0 : 100),
  takeBytes() {},
  returnBytes() {},
  openFile: () => textSink(),
}

const texts = new Map<FileSink, string>()

/** Remembers the text of a file, so that the examples show what is read of all items. */
function textSink(): FileSink {
  const sink: FileSink = {
    write(bytes) {
      texts.set(sink, (texts.get(sink) ?? '') + Buffer.from(bytes).toString('latin1'))
    },
    end() {},
  }
  return sink
}

function textOf({ payload, file }: EnvelopeItem): string | null {
  if (file !== null) return Buffer.from(texts.get(file.sink) ?? '', 'latin1').toString()
  return payload === null ? null : Buffer.concat(payload.chunks).toString()
}

/** Reads the bytes in pieces of this size. */
function read(bytes: Uint8Array | string, size = Number.POSITIVE_INFINITY, bounds = BOUNDS) {
  const reader = createEnvelopeReader(bounds)
  const all = Buffer.from(bytes)
  const step = Math.min(size, Math.max(1, all.length))
  for (let at = 0; at < all.length; at += step) reader.push(all.subarray(at, at + step))
  const items = reader
    .end()
    .map((item) => [item.type, textOf(item), ...(item.isMalformed ? ['malformed'] : [])])
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
  'implicit length': ['{}\n{"type":"event"}\nhelloworld\n', [['event', 'helloworld']]],
  'implicit length, ended by the end': ['{}\n{"type":"event"}\nhelloworld', [['event', 'helloworld']]],
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

test('files are passed on as they arrive, with their digest, and not kept', () => {
  const passed: string[] = []
  const bounds: ReaderBounds = {
    ...BOUNDS,
    openFile(size) {
      if (size > 100) return null
      passed.push(`open ${size}`)
      return { write: (bytes) => passed.push(String(bytes)), end: () => passed.push('end') }
    },
  }
  const envelope = envelopeOf(
    {},
    [{ type: 'attachment' }, 'one two'],
    [{ type: 'attachment' }, 'x'.repeat(101)],
    [{ type: 'attachment', length: 50 }, 'torn'],
  )
  const reader = createEnvelopeReader(bounds)
  for (let at = 0; at < envelope.length; at += 300) reader.push(envelope.subarray(at, at + 300))
  const items = reader
    .end()
    .map(({ file, payload, isMalformed }) => [file?.sha256 ?? null, payload, isMalformed])
  expect(items).toEqual([
    [createHash('sha256').update('one two').digest('hex'), null, false],
    [null, null, false],
    [null, null, true],
  ])
  expect(passed).toEqual(['open 7', 'one two', 'end', 'open 50', 'torn\n'])
})

test('the header can be read before the rest, of which nothing is taken', () => {
  const taken: number[] = []
  const reader = createEnvelopeReader({ ...BOUNDS, takeBytes: (count) => taken.push(count) })
  expect(reader.readHeader(Buffer.from('{"dsn"')).length).toBe(0)
  const rest = reader.readHeader(Buffer.from(':"d"}\n{"type":"event"}\nhello'))
  expect([reader.header?.dsn, taken]).toEqual(['d', []])
  reader.push(reader.readHeader(rest))
  expect([textOf(reader.end()[0] as EnvelopeItem), taken]).toEqual(['hello', [5]])
})

test('a file without a length is skipped: room for it could not be reserved', () => {
  const [item] = createAndRead('{}\n{"type":"attachment"}\nhelloworld')
  expect([item?.type, item?.file]).toEqual(['attachment', null])

  function createAndRead(text: string) {
    const reader = createEnvelopeReader({ ...BOUNDS, openFile: () => fail() })
    reader.push(Buffer.from(text))
    return reader.end()
  }
  function fail(): never {
    throw new Error('opened')
  }
})

test('no more than 1,000 items are read', () => {
  const { items } = read(`{}\n${'{"type":"event"}\n{}\n'.repeat(2_000)}`)
  expect(items).toHaveLength(1_001)
  expect(items.at(-1)).toEqual(['malformed', null, 'malformed'])
})

describe('headers of items', () => {
  /** Parsed, each takes twenty times as much memory. */
  const bomb = (bytes: number) => {
    const values = Array(Math.floor(bytes / 3))
      .fill('{}')
      .join(',')
    return `{"type":"event","length":0,"a":[${values}]}\n\n`
  }

  test('may have 4 KiB: what follows a longer one is malformed', () => {
    const { items } = read(`{}\n${bomb(3_000)}${bomb(4_100)}${bomb(0)}`, 100)
    expect(items).toEqual([
      ['event', ''],
      ['malformed', null, 'malformed'],
    ])
  })

  test('may have 256 KiB in all, with the empty lines between them', () => {
    const headers = read(`{}\n${bomb(3_500).repeat(100)}`).items
    expect(headers.length).toBeLessThan(80)
    expect(headers.at(-1)).toEqual(['malformed', null, 'malformed'])
    const { items } = read(`{}\n${'\n'.repeat(300_000)}{"type":"event"}\n{}`, 65_536)
    expect(items).toEqual([['malformed', null, 'malformed']])
  })

  test('cost little to read, however many there are', () => {
    const header = bomb(64_000)
    const envelope = Buffer.from(`{}\n${header.repeat(500)}`)
    const parsing = cpuMicros(() => {
      for (let count = 0; count < 500; count++) JSON.parse(header)
    })
    expect(cpuMicros(() => read(envelope, 65_536))).toBeLessThan(parsing / 5)
  })

  test('are not kept, but for the name and the type of a file', () => {
    const reader = createEnvelopeReader(BOUNDS)
    const rest = { filename: 'n'.repeat(400), content_type: 'text/plain', other: [{}] }
    reader.push(envelopeOf({ event_id: 'e', dsn: 'd', other: [{}] }, [{ type: 'attachment', ...rest }, 'x']))
    reader.push(envelopeOf({ type: 'x'.repeat(100) }).subarray(0, -1))
    const [item, unknown] = reader.end()
    expect(reader.header).toEqual({ eventId: 'e', dsn: 'd' })
    expect(Object.keys(item ?? {})).toEqual(['type', 'payload', 'file', 'isMalformed'])
    expect(item?.file).toMatchObject({ name: 'n'.repeat(255), contentType: 'text/plain' })
    expect(unknown?.type).toBe('unknown')
  })
})

function cpuMicros(work: () => void): number {
  const from = process.threadCpuUsage()
  work()
  return process.threadCpuUsage(from).user
}
