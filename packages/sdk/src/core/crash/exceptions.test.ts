import { MAX_EXCEPTION_TEXT_CHARS } from '@bugle/contract/vocabulary'
import { describe, expect, test } from 'vitest'
import { describeException } from './exceptions.ts'

function thrown(stack: string, message = 'x is not a function'): Error {
  return Object.assign(new TypeError(message), { stack })
}

const BUILD_ONE = `TypeError: x is not a function
    at save (https://app.example/assets/form-BxK2abc1.js:1:88)
    at async https://app.example/assets/index-D3fAulTs.js?v=7:12:3`
describe('a report of an exception', () => {
  test('has the type, the message and the calls, and those of the cause', () => {
    const cause = Object.assign(new Error('disk full'), {
      stack: 'Error: disk full\n    at write (disk.js:1:1)',
    })
    const { exception, category } = describeException(Object.assign(thrown(BUILD_ONE), { cause }))
    expect(exception).toEqual([
      {
        type: 'TypeError',
        value: 'x is not a function',
        stack: BUILD_ONE.slice(BUILD_ONE.indexOf('\n')).replace('?v=7', ''),
      },
      { type: 'Error', value: 'disk full', stack: '\n    at write (disk.js:1:1)' },
    ])
    expect(category).toBe('crash')
  })

  test.each([
    ['text', 'Error: text'],
    [undefined, 'Error: undefined'],
    [null, 'Error: null'],
    [42, 'Error: 42'],
    [{ code: 7 }, 'Error: {"code":7}'],
    [{ message: 'like an error' }, 'Error: like an error'],
    [Symbol('odd'), 'Error: Symbol(odd)'],
    [globalThis, 'Error: [object global]'],
  ])('can be created from %s', (value, title) => {
    expect(describeException(value).title).toBe(title)
  })

  test('has no secrets in it', () => {
    const error = thrown(
      'Error\n    at load (https://app.example/a.js?token=s3cret:4:2)',
      'GET /x with token=abc123',
    )
    const { title, exception } = describeException(error)
    expect(title).toBe('TypeError: GET /x with token=[redacted]')
    expect(exception?.[0]).toMatchObject({
      value: 'GET /x with token=[redacted]',
      stack: 'Error\n    at load (https://app.example/a.js:4:2)',
    })
  })

  test('has all causes, each once', () => {
    const root = Object.assign(new RangeError('disk full'), {
      stack: 'write@https://a.example/disk.js:1:1',
      cause: 'a text',
    })
    const error = Object.assign(new AggregateError([root, 'other text'], 'both failed'), {
      cause: { cause: root },
    })
    Object.assign(root, { errors: [error] })
    const { exception = [] } = describeException(error)
    expect(exception.map(({ type, value }) => `${type}: ${value}`)).toEqual([
      'AggregateError: both failed',
      'Error: [object Object]',
      'RangeError: disk full',
      'Error: other text',
      'Error: a text',
    ])
  })

  test('needs no stack', () => {
    const { title } = describeException(Object.assign(new Error('bare'), { stack: null }))
    expect(title).toBe('Error: bare')
  })

  test('is scrubbed by the app, and redacted if that fails', () => {
    const scrubs = [
      (text: string) => text.toUpperCase(),
      () => {
        throw new Error('a mistake of the app')
      },
    ]
    expect(scrubs.map((scrub) => describeException('no', scrub).title)).toEqual([
      'ERROR: NO',
      '[redacted]: [redacted]',
    ])
  })

  test('fits the limits of the server, although redaction makes it longer', () => {
    const text = 'token=a \0'.repeat(10_000)
    const error = Object.assign(new Error(text), { name: 'N'.repeat(1_000), stack: `x\n${text}`, cause: 'x' })
    const { exception = [] } = describeException(error)
    expect(exception.length).toBe(2)
    for (const { type, value = '', stack = '' } of exception) {
      expect(type.length).toBeLessThanOrEqual(MAX_EXCEPTION_TEXT_CHARS)
      expect(value + stack).not.toContain('\0')
      expect(value.length).toBeLessThanOrEqual(MAX_EXCEPTION_TEXT_CHARS)
      expect(stack.length).toBeLessThanOrEqual(MAX_EXCEPTION_TEXT_CHARS)
    }
  })

  test.each([7, 'a text', {}, [7, 8]])('can have %j as the errors of an AggregateError', (errors) => {
    const { exception = [] } = describeException(Object.assign(new Error('x'), { errors }))
    expect(exception.length).toBe(1 + [errors].flat().length)
  })
})
