import { describe, expect, test } from 'vitest'
import { describeException } from './exceptions.ts'

function thrown(stack: string, message = 'x is not a function'): Error {
  return Object.assign(new TypeError(message), { stack })
}

function fingerprintOf(error: unknown): string {
  return describeException(error, true).content.fingerprint
}

const BUILD_ONE = `TypeError: x is not a function
    at save (https://app.example/assets/form-BxK2abc1.js:1:88)
    at async https://app.example/assets/index-D3fAulTs.js?v=7:12:3`
const BUILD_TWO = `TypeError: x is not a function
    at save (https://cdn.example/v2/form-Zz91kkQQ.js:1:93)
    at async https://cdn.example/v2/index-AbCdEfGh.js:14:30`

describe('a fingerprint', () => {
  test('is the same in another build, on another host, at another line', () => {
    expect(fingerprintOf(thrown(BUILD_TWO))).toBe(fingerprintOf(thrown(BUILD_ONE)))
    expect(fingerprintOf(thrown(BUILD_ONE))).toMatch(/^2:TypeError:\w+$/)
  })

  test('is the same whatever numbers are in the message', () => {
    const [first, second] = ['item 12 is gone', 'item 7 is gone'].map((message) =>
      fingerprintOf(thrown(BUILD_ONE.replace('x is not a function', message), message)),
    )
    expect(first).toBe(second)
    expect(fingerprintOf('order 4711 failed')).toBe(fingerprintOf('order 12 failed'))
  })

  test('tells places and types apart', () => {
    expect(fingerprintOf(thrown(BUILD_ONE.replace('save', 'load')))).not.toBe(
      fingerprintOf(thrown(BUILD_ONE)),
    )
    expect(fingerprintOf(Object.assign(new RangeError('x'), { stack: BUILD_ONE }))).not.toBe(
      fingerprintOf(thrown(BUILD_ONE)),
    )
  })

  test('reads the stacks of Firefox and Safari too', () => {
    const firefox =
      'save@https://app.example/assets/form-BxK2abc1.js:1:88\n@https://app.example/assets/index-D3fAulTs.js:12:3\n'
    expect(fingerprintOf(thrown(firefox))).toBe(fingerprintOf(thrown(BUILD_ONE)))
  })

  test('reads the stacks of Hermes too, which has odd names for what has none', () => {
    const hermes = '    at ?anon_0_ (address at index.android.bundle:1:88)\n    at next (native)\n'
    expect(fingerprintOf(thrown(hermes))).toBe(
      fingerprintOf(thrown('@http://localhost/index.android.bundle:7:7')),
    )
    expect(fingerprintOf(thrown(hermes))).not.toBe(fingerprintOf(thrown('')))
  })

  test('fits', () => {
    const odd = Object.assign(thrown('', 'm'.repeat(1_000)), { name: 'N'.repeat(1_000) })
    expect(fingerprintOf(odd).length).toBeLessThanOrEqual(128)
  })
})

describe('a report of an exception', () => {
  test('has the stack, and that of the cause', () => {
    const cause = Object.assign(new Error('disk full'), {
      stack: 'Error: disk full\n    at write (disk.js:1:1)',
    })
    const { description, category, metadata } = describeException(
      Object.assign(thrown(BUILD_ONE), { cause }),
      false,
    ).content
    expect(description).toContain('form-BxK2abc1.js:1:88')
    expect(description).toContain('Caused by: Error: disk full')
    expect({ category, metadata }).toEqual({ category: 'crash', metadata: { handled: false } })
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
  ])('can be made of %s', (value, title) => {
    expect(describeException(value, true).content.title).toBe(title)
  })

  test('has no secrets in it', () => {
    const error = thrown(
      'Error\n    at load (https://app.example/a.js?token=s3cret:4:2)',
      'GET /x with token=abc123',
    )
    const { title, description } = describeException(error, true).content
    expect(title).toBe('TypeError: GET /x with token=[redacted]')
    expect(description).toContain('(https://app.example/a.js:4:2)')
  })

  test('has all causes, with what they say where the engine leaves it out of the stack', () => {
    const root = Object.assign(new RangeError('disk full'), {
      stack: 'write@https://a.example/disk.js:1:1',
      cause: 'a text',
    })
    const error = Object.assign(new AggregateError([root, 'other text'], 'both failed'), {
      cause: { cause: root },
    })
    Object.assign(root, { errors: [error] })
    const { description = '' } = describeException(error, true).content
    expect(description.match(/Caused by: .*/g)).toEqual([
      'Caused by: Error: [object Object]',
      'Caused by: RangeError: disk full',
      'Caused by: Error: other text',
      'Caused by: Error: a text',
    ])
  })

  test('needs no stack', () => {
    const { title } = describeException(Object.assign(new Error('bare'), { stack: null }), true).content
    expect(title).toBe('Error: bare')
  })

  test('is scrubbed by the app, and redacted if that fails', () => {
    const scrubs = [
      (text: string) => text.toUpperCase(),
      () => {
        throw new Error('a mistake of the app')
      },
    ]
    expect(scrubs.map((scrub) => describeException('no', true, scrub).content.title)).toEqual([
      'ERROR: NO',
      '[redacted]',
    ])
  })

  test('has one site for each place, though the fingerprint is the same', () => {
    const [first, second] = ['1:88', '1:99'].map((place) =>
      describeException(thrown(BUILD_ONE.replace('1:88', place)), true),
    )
    expect(second?.content.fingerprint).toBe(first?.content.fingerprint)
    expect(second?.site).not.toBe(first?.site)
  })
})
