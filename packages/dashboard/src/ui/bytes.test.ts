import { expect, test } from 'vitest'
import { formatBytes } from './bytes.ts'

test.each([
  [0, '0 B'],
  [999, '999 B'],
  [1_000, '1 KB'],
  [1_540, '1.5 KB'],
  [48_213, '48 KB'],
  [10_485_760, '10 MB'],
  [5_400_000_000_000, '5,400 GB'],
])('%i bytes are written as %s', (bytes, text) => {
  expect(formatBytes(bytes)).toBe(text)
})
