import { describe, expect, it } from 'vitest'
import { MAX_BATCH_CALLS, takeBatch } from './take-batch.ts'

const submission = (description: string | null) => ({
  call: ['submitReport', { content: { description } }] as const,
})
const change = (description: string) => ({ call: ['changeIssue', { patch: { description } }] as const })
const other = { call: ['touch', 'prj_1', { count: 1 }] as const }
const LONGEST = 'x'.repeat(32_768)

describe('a batch of writes', () => {
  it.each([
    ['few calls', Array.from({ length: 20 }, () => submission('short')), 20],
    ['more calls than share a commit', Array.from({ length: 300 }, () => submission(null)), MAX_BATCH_CALLS],
    ['long texts', Array.from({ length: 20 }, () => submission(LONGEST)), 2],
    ['long texts of changes', Array.from({ length: 20 }, () => change(LONGEST)), 2],
    ['a text longer than all others may be together', [submission('x'.repeat(200_000)), other], 1],
    ['calls without text', [other, submission(LONGEST), other], 3],
    ['nothing', [], 0],
  ])('is bounded: %s', (_, waiting, taken) => {
    const queue = [...waiting]
    expect(takeBatch(queue)).toEqual(waiting.slice(0, taken))
    expect(queue).toEqual(waiting.slice(taken))
  })
})
