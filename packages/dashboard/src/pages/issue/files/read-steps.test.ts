import { expect, test } from 'vitest'
import { readSteps } from './read-steps.ts'

const STEP = { at: '2026-11-15T09:31:14.002Z', kind: 'click', text: 'button#save' }

test('the steps of a trail are read, at most 50, with a bounded text', () => {
  expect(readSteps(JSON.stringify({ version: 1, steps: [STEP] }))).toEqual([STEP])
  const many = Array.from({ length: 80 }, () => ({ ...STEP, text: 'x'.repeat(9_999) }))
  const read = readSteps(JSON.stringify({ steps: many }))
  expect(read).toHaveLength(50)
  expect(read[0]?.text).toHaveLength(512)
})

test.each(['', '[]', 'null', '{"steps":7}', '{"steps":[null,7,{"at":"x","text":"y"},{"at":5,"text":5}]}'])(
  'something else, %j, has no steps',
  (json) => {
    expect(readSteps(json)).toEqual([])
  },
)
