import { expect, test } from 'vitest'
import { createByteBlocks } from './byte-blocks.ts'

test.each([1, 7, 1_000, 65_536, 300_000])('pieces of %s bytes become few blocks', (pieceBytes) => {
  const bytes = Buffer.from(Array.from({ length: 300_000 }, (_, at) => at % 251))
  const copy = createByteBlocks()
  for (let at = 0; at < bytes.length; at += pieceBytes) copy.push(bytes.subarray(at, at + pieceBytes))
  expect(copy.size).toBe(bytes.length)
  expect(bytes.equals(Buffer.concat(copy.blocks()))).toBe(true)
  expect(copy.blocks().length).toBeLessThan(25)
})

test('pieces are copied', () => {
  const piece = Buffer.from('abc')
  const copy = createByteBlocks()
  copy.push(piece)
  piece.fill('x')
  expect(Buffer.concat(copy.blocks()).toString()).toBe('abc')
})

test('nothing is no block', () => {
  const copy = createByteBlocks()
  copy.push(new Uint8Array(0))
  expect([copy.size, copy.blocks()]).toEqual([0, []])
})

test('after their memory is freed, other bytes can follow', () => {
  const copy = createByteBlocks()
  copy.push(Buffer.alloc(200_000))
  const before = copy.blocks()
  copy.free()
  expect([copy.size, copy.blocks(), ...before.map(({ length }) => length)]).toEqual([
    0,
    [],
    ...before.map(() => 0),
  ])
  copy.push(Buffer.from('abc'))
  expect(Buffer.concat(copy.blocks()).toString()).toBe('abc')
})
