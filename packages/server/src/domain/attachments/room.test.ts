import { expect, it } from 'vitest'
import { mintId } from '../../model/ids.ts'
import type { Declaration } from '../../model/reports/attachments.ts'
import { createRoom } from './room.ts'

const projectId = mintId('prj', 0, 1)

function declarationOf(size: number, overrides: Partial<Declaration> = {}): Declaration {
  const attachment = { size } as Declaration['attachment']
  return { projectId, projectBytes: 0, attachment, isKept: true, ...overrides }
}

it('uploads in progress cannot use the reserve of the disk together', async () => {
  const store = { space: async () => ({ freeBytes: 400, totalBytes: 1_000 }) }
  const room = createRoom({ store, limits: { project: 10_000 } })
  const end = await room.reserve(declarationOf(200))
  await expect(room.reserve(declarationOf(200))).rejects.toThrow('almost full')
  await room.reserve(declarationOf(100))
  end()
  await room.reserve(declarationOf(200))
})

it('uploads that begin at the same moment cannot either', async () => {
  const store = { space: async () => ({ freeBytes: 400, totalBytes: 1_000 }) }
  const room = createRoom({ store, limits: { project: 10_000 } })
  const begun = await Promise.allSettled(Array.from({ length: 8 }, () => room.reserve(declarationOf(100))))
  expect(begun.filter(({ status }) => status === 'fulfilled')).toHaveLength(3)
})

it('uploads in progress count towards the limit of their project', async () => {
  const room = createRoom({ store: { space: async () => null }, limits: { project: 1_000 } })
  await room.reserve(declarationOf(300, { projectBytes: 400 }))
  await expect(room.reserve(declarationOf(301, { projectBytes: 400 }))).rejects.toThrow('limit for files')
  await room.reserve(declarationOf(1_000, { projectId: mintId('prj', 0, 2) }))
})
