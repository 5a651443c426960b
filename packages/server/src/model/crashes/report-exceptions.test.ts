import type { SubmittedFrame } from '@bugle/contract'
import { describe, expect, it } from 'vitest'
import { showExceptions, storeExceptions } from './report-exceptions.ts'

const CONTEXT = { before: ['a', 'b'], line: 'c', after: ['d'] }

function framesOf(stack: string, value = ''): readonly unknown[] {
  const [exception] = showExceptions(storeExceptions([{ type: 'Error', value, stack }]))
  return (exception?.frames ?? []).map(({ function: call, file, line, column, inApp }) =>
    [call, file, line, column, inApp].filter((part) => part !== null),
  )
}

describe('the frames of a stack', () => {
  it('are read as V8 writes them', () => {
    const stack = `TypeError: at first
    at first (not a frame)
    at Form.save [as onClick] (https://app.example/form.js:1:88)
    at async Promise.all (index 0)
    at new Cart (/app/node_modules/shop/cart.js:7:9)
    at node:internal/process/task_queues:95:5`
    expect(framesOf(stack, 'at first\n    at first (not a frame)')).toEqual([
      ['Form.save [as onClick]', 'https://app.example/form.js', 1, 88, true],
      ['new Cart', '/app/node_modules/shop/cart.js', 7, 9, false],
      ['node:internal/process/task_queues', 95, 5, false],
    ])
  })

  it('are read as Firefox and Safari write them', () => {
    const stack = 'save@https://app.example/form.js:1:88\n@https://app.example/vendor/a.js:2:3\n'
    expect(framesOf(stack)).toEqual([
      ['save', 'https://app.example/form.js', 1, 88, true],
      ['https://app.example/vendor/a.js', 2, 3, false],
    ])
  })

  it.each(['', 'no frames', 'Traceback (most recent call last):\n  File "a.py", line 3'])(
    'are none in %j',
    (stack) => {
      expect(framesOf(stack)).toEqual([])
    },
  )
})

describe('what is stored of exceptions', () => {
  it('is everything, if it fits', () => {
    const frame = { function: 'a', file: 'b', module: 'c', line: 1, column: 2, inApp: true, context: CONTEXT }
    const exception = { type: 'E', value: 'v', mechanism: { type: 'm', handled: null }, frames: [frame] }
    expect(showExceptions(storeExceptions([exception]))).toEqual([exception])
  })

  it('loses the source lines of libraries first, then those of the app, then the outermost frames, then the last causes', () => {
    const frames: readonly SubmittedFrame[] = [
      { function: 'library', inApp: false, context: CONTEXT },
      { function: 'own', inApp: true, context: CONTEXT },
    ]
    const exceptions = ['Thrown', 'Cause'].map((type) => ({ type, frames }))
    const seen = new Set<string>()
    for (let maxChars = 600; maxChars > 30; maxChars--) {
      const stored = storeExceptions(exceptions, maxChars)
      expect(stored.length).toBeLessThanOrEqual(maxChars)
      const shown = showExceptions(stored).map(({ type, frames }) =>
        [type, ...frames.map((frame) => `${frame.function}${frame.context === null ? '' : '*'}`)].join(' '),
      )
      seen.add(shown.join(', '))
    }
    expect([...seen]).toEqual([
      'Thrown library* own*, Cause library* own*',
      'Thrown library* own*, Cause library own*',
      'Thrown library own*, Cause library own*',
      'Thrown library own*, Cause library own',
      'Thrown library own, Cause library own',
      'Thrown library own, Cause library',
      'Thrown library own, Cause',
      'Thrown library, Cause',
      'Thrown, Cause',
      'Thrown',
      '',
    ])
  })

  it('fits even if every field is as long as it may be', () => {
    const long = '\u{1f41e}'.repeat(512)
    const source = '"'.repeat(256)
    const lines = Array(5).fill(source)
    const frame = {
      ...{ function: long, file: long, module: long, line: 1, column: 1, inApp: true },
      context: { before: lines, line: source, after: lines },
    }
    const value = '"'.repeat(8_192)
    const exceptions = Array(10).fill({ type: value, value, frames: Array(250).fill(frame) })
    const stored = storeExceptions(exceptions)
    expect(stored.length).toBeLessThanOrEqual(65_536)
    expect(showExceptions(stored).length).toBeGreaterThan(0)
  })
})
