import type { Frame } from '@bugle/contract'
import { expect, test } from 'vitest'
import { groupFrames } from './group-frames.ts'
import { writeExceptions } from './write-exceptions.ts'

function frame(name: string, inApp: boolean | null): Frame {
  return { function: name, file: `${name}.js`, module: null, line: 3, column: null, inApp, context: null }
}

function shown(...frames: readonly Frame[]): readonly string[] {
  return groupFrames(frames).map((group) =>
    group.kind === 'own'
      ? `${group.frame.function}`
      : `(${group.frames.map(({ function: name }) => name).join(' ')})`,
  )
}

test('consecutive frames of libraries are folded', () => {
  const [a, b, c] = [frame('a', false), frame('b', null), frame('c', false)]
  expect(shown(a, b, frame('own', true), frame('too', true), c)).toEqual(['(a b)', 'own', 'too', '(c)'])
})

test('without frames of the app, nothing is folded', () => {
  expect(shown(frame('a', false), frame('b', null))).toEqual(['a', 'b'])
  expect(shown()).toEqual([])
})

test('exceptions are copied as text, the causes in order', () => {
  const native = { ...frame('x', true), function: null, file: null, module: 'Shop', line: null }
  const frames = [{ ...frame('pay', true), module: 'cart' }, native]
  expect(
    writeExceptions([
      { type: 'A', value: 'one', mechanism: null, frames },
      { type: 'B', value: null, mechanism: null, frames: [] },
    ]),
  ).toBe('A: one\n    at cart.pay (pay.js:3)\n    at Shop\nCaused by: B')
})
