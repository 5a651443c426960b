import { describe, expect, it } from 'vitest'
import { mintId } from '../../../model/ids.ts'
import type { Result } from '../../operations.ts'
import { createProjectSeqs } from './project-seqs.ts'

const ID = mintId('prj', 0, 1)

describe('the numbers of projects', () => {
  const answering = (rows: Result['rows']) => () => ({ rows, count: rows.length })

  it('are kept for a second', async () => {
    let now = 0
    const seqs = createProjectSeqs(() => now)
    expect(seqs.find(ID)).toBeUndefined()
    expect(await seqs.read(ID, answering([{ seq: 7 }]))).toBe(7)
    now = 999
    expect(seqs.find(ID)).toBe(7)
    now = 1_000
    expect(seqs.find(ID)).toBeUndefined()
  })

  it('are not kept for projects that do not exist, which may be created at any time', async () => {
    const seqs = createProjectSeqs()
    expect(await seqs.read(ID, answering([]))).toBeNull()
    expect(seqs.find(ID)).toBeUndefined()
  })

  it('are forgotten after a deletion', async () => {
    const seqs = createProjectSeqs()
    await seqs.read(ID, answering([{ seq: 7 }]))
    seqs.clear()
    expect(seqs.find(ID)).toBeUndefined()
  })
})
