import { expect, it } from 'vitest'
import type { FileName, FileStore } from '../storage/files/file-store.ts'
import type { AttachmentStorage } from '../storage/ports/attachments.ts'
import { createFileRemoval } from './remove-files.ts'

/** A list of files to remove, and a store that cannot remove some of them. */
function setTheStage(count: number, isStuck: (index: number) => boolean) {
  const nameOf = (index: number): FileName => `7/${String(index).padStart(5, '0')}`
  const pending = new Set(Array.from({ length: count }, (_, index) => nameOf(index)))
  const stuck = new Set([...pending].filter((_, index) => isStuck(index)))
  const attempted: FileName[] = []
  const attachments: Pick<AttachmentStorage, 'releaseSome' | 'listRemoved' | 'forgetRemoved'> = {
    releaseSome: async () => false,
    listRemoved: async (after, limit) => [...pending].filter((name) => name > (after ?? '')).slice(0, limit),
    async forgetRemoved(names) {
      for (const name of names) pending.delete(name)
    },
  }
  const store: Pick<FileStore, 'remove'> = {
    async remove(name) {
      attempted.push(name)
      if (stuck.has(name)) throw new Error(`${name} is read-only`)
    },
  }
  const remove = createFileRemoval({
    storage: { attachments: attachments as AttachmentStorage },
    store: store as FileStore,
  })
  return { pending, stuck, attempted, remove }
}

it('removes the other files when some cannot be removed, and forgets only those', async () => {
  const { pending, stuck, remove } = setTheStage(250, (index) => index % 100 === 0)
  await expect(remove()).rejects.toThrow('3 files could not be removed')
  expect(pending).toEqual(stuck)
  stuck.clear()
  await remove()
  expect(pending.size).toBe(0)
})

it('reaches every file, however many before it cannot be removed', async () => {
  const { pending, stuck, attempted, remove } = setTheStage(450, (index) => index < 400)
  await expect(remove()).rejects.toThrow('100 files could not be removed')
  expect(attempted).toHaveLength(100)
  for (let turn = 0; turn < 3; turn++) await expect(remove()).rejects.toThrow()
  await remove()
  expect(pending).toEqual(stuck)
})
