import { describe, expect, it } from 'vitest'
import { MAX_BATCH_CALLS } from './take-batch.ts'
import { createWriteQueue } from './write-queue.ts'

const LONGEST = 'x'.repeat(32_768)
const submit = (project: string, note: string, description: string | null = null) => ({
  call: ['submitReport', { projectId: `prj_${project}`, content: { description } }] as const,
  note,
})

function queueOf(...waiting: readonly ReturnType<typeof submit>[]) {
  const queue = createWriteQueue<ReturnType<typeof submit>>()
  for (const pending of waiting) queue.push(pending)
  return queue
}

function batchesOf(queue: ReturnType<typeof queueOf>): readonly (readonly string[])[] {
  const batches: string[][] = []
  while (queue.length > 0) batches.push(queue.takeBatch().map(({ note }) => note))
  return batches
}

describe('waiting writes', () => {
  it('of one project are taken in order', () => {
    const notes = Array.from({ length: 300 }, (_, index) => `a${index}`)
    const queue = queueOf(...notes.map((note) => submit('a', note)))
    expect(batchesOf(queue)).toEqual([notes.slice(0, MAX_BATCH_CALLS), notes.slice(MAX_BATCH_CALLS)])
  })

  it('of other projects overtake long texts, which keep their order', () => {
    const long = (note: string) => submit('a', note, LONGEST)
    const queue = queueOf(
      ...['a1', 'a2', 'a3', 'a4', 'a5'].map(long),
      submit('a', 'a6'),
      submit('b', 'b1'),
      submit('b', 'b2'),
      submit('c', 'c1'),
    )
    expect(batchesOf(queue)).toEqual([
      ['a1', 'b1', 'c1', 'a2', 'b2'],
      ['a3', 'a4'],
      ['a5', 'a6'],
    ])
  })

  it('let projects with long texts take turns', () => {
    const long = (note: string) => submit(note.charAt(0), note, LONGEST)
    const queue = queueOf(...['a1', 'a2', 'a3', 'b1', 'c1', 'c2'].map(long))
    expect(batchesOf(queue)).toEqual([
      ['a1', 'b1'],
      ['c1', 'a2'],
      ['c2', 'a3'],
    ])
  })

  it('that take long have a commit of their own, and other projects take turns with them', () => {
    const bulk = (note: string) => ({
      call: ['changeIssues', { projectId: `prj_${note.charAt(0)}` }] as const,
      note,
    })
    const queue = createWriteQueue<{ call: readonly [string, ...unknown[]]; note: string }>()
    const waiting = [
      bulk('a1'),
      bulk('a2'),
      submit('b', 'b1'),
      bulk('a3'),
      submit('c', 'c1'),
      submit('b', 'b2'),
    ]
    for (const pending of waiting) queue.push(pending)
    const batches: string[][] = []
    while (queue.length > 0) batches.push(queue.takeBatch().map(({ note }) => note))
    expect(batches).toEqual([['a1'], ['b1', 'c1', 'b2'], ['a2'], ['a3']])
  })

  it('of many projects share a commit, up to its number of calls', () => {
    const queue = queueOf(...Array.from({ length: 400 }, (_, n) => submit(`${n % 100}`, `${n}`)))
    const batches = batchesOf(queue)
    expect(batches.map(({ length }) => length)).toEqual([MAX_BATCH_CALLS, 400 - MAX_BATCH_CALLS])
    expect(batches.flat().map(Number)).toEqual(
      expect.arrayContaining(Array.from({ length: 400 }, (_, n) => n)),
    )
    for (const project of [0, 42, 99]) {
      const own = batches
        .flat()
        .map(Number)
        .filter((n) => n % 100 === project)
      expect(own).toEqual(own.toSorted((one, other) => one - other))
    }
  })

  it('without a project share one queue, taken with the others', () => {
    const queue = createWriteQueue<{ call: readonly [string, ...unknown[]] }>()
    for (const call of [['probe'], ['claimDue', { now: 1 }], ['fanOut', 'prj_1', 'whk_1', 1]] as const)
      queue.push({ call })
    expect(queue.takeBatch().map(({ call: [name] }) => name)).toEqual(['probe', 'fanOut', 'claimDue'])
    expect(queue.takeAll()).toEqual([])
  })
})
