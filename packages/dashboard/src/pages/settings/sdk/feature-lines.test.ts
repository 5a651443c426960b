import { expect, it } from 'vitest'
import { featuresIn, featuresText } from './feature-lines.ts'

it('features are the same after they were shown and read', () => {
  const features = [
    true,
    false,
    3,
    0.5,
    'text',
    '',
    'true',
    '3',
    'a=b',
    'two\nlines',
    ' spaces ',
    '"quoted"',
  ].map((value, index) => ({ name: `feature${index}`, value }))
  expect(featuresIn(featuresText(features))).toEqual(features)
  expect(featuresText([{ name: 'a', value: true }])).toBe('a=true')
})

it('empty lines are skipped, and a line without a value is an empty text', () => {
  expect(featuresIn('\n a = true \n\nb')).toEqual([
    { name: 'a', value: true },
    { name: 'b', value: '' },
  ])
})
