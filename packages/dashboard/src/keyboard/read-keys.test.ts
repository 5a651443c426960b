import { describe, expect, it } from 'vitest'
import { capsOf, nameOfPress } from './read-keys.ts'

const plain = { shiftKey: false, ctrlKey: false, metaKey: false }

describe('a key press', () => {
  it.each([
    [{ ...plain, key: 'a' }, 'a'],
    [{ ...plain, key: 'A', shiftKey: true }, 'shift+a'],
    [{ ...plain, key: '?', shiftKey: true }, '?'],
    [{ ...plain, key: '/', shiftKey: true }, '/'],
    [{ ...plain, key: 'k', metaKey: true }, 'mod+k'],
    [{ ...plain, key: 'k', ctrlKey: true }, 'mod+k'],
    [{ ...plain, key: 'Enter' }, 'enter'],
    [{ ...plain, key: 'ArrowDown', shiftKey: true }, 'shift+arrowdown'],
    [{ ...plain, key: ' ' }, 'space'],
  ])('%j is called %s', (press, name) => {
    expect(nameOfPress(press)).toBe(name)
  })
})

describe('the caps of keys', () => {
  it('match the keyboard', () => {
    expect(capsOf('mod+k', true)).toEqual([['⌘', 'K']])
    expect(capsOf('mod+k', false)).toEqual([['Ctrl', 'K']])
  })

  it('follow each other in a sequence', () => {
    expect(capsOf('g i', false)).toEqual([['G'], ['I']])
  })
})
