import { randomBytes, randomUUID } from 'node:crypto'
import { Readable } from 'node:stream'
import { beforeAll, describe, expect, it, vi } from 'vitest'
import { declare, PNG, setAttachmentStage } from '../../../../test-support/attachment-stage.ts'
import type { FileName } from '../../../storage/files/file-store.ts'
import { StorageUnavailable } from '../../../storage/storage.ts'

const stage = setAttachmentStage({ intervals: { removal: 50 } })
const { attachments, download, put, report, reportWith } = stage
/** More than one chunk of any store. */
const SIZE = 600_000

const logged: unknown[] = []
beforeAll(() => {
  vi.spyOn(stage.api.app.logger, 'error').mockImplementation((...[, text]) => void logged.push(text))
})
const DAMAGE = 'a stored file is missing or damaged: restore it from a backup'

const names = async () => {
  const files = await Readable.from(stage.api.app.files.list()).toArray()
  return files.map(({ name }: { name: FileName }) => name).sort()
}

/** A received file, with its name in the store. */
async function receive(bytes: Buffer = randomBytes(SIZE)) {
  const before = await names()
  const { id: issueId, submissionId, attachmentIds } = await reportWith([{ bytes }])
  const [id = ''] = attachmentIds
  const name = (await names()).find((one) => !before.includes(one))
  if (name === undefined) throw new Error('nothing was stored')
  const shown = async () => (await attachments(issueId))[0]
  return { id, issueId, submissionId, bytes, name, shown, state: async () => (await shown()).state }
}

/** Something else has happened to the store. */
async function overwrite(name: FileName, bytes: Buffer): Promise<void> {
  const { files } = stage.api.app
  await files.remove(name)
  await files.put({ name, size: bytes.length, sha256: '' }, Readable.from([bytes]))
}

describe('a damaged file', () => {
  it.each([
    ['is shorter', (name: FileName, bytes: Buffer) => overwrite(name, bytes.subarray(1))],
    ['is longer', (name: FileName, bytes: Buffer) => overwrite(name, Buffer.concat([bytes, bytes]))],
    ['is gone', (name: FileName) => stage.api.app.files.remove(name)],
  ])('that %s is refused before anything is sent, logged once and shown', async (_, damage) => {
    const file = await receive()
    await damage(file.name, file.bytes)
    logged.length = 0
    for (const headers of [{}, { range: 'bytes=0-9' }]) {
      const { status, body } = await download(file.id, headers)
      expect([status, body.code]).toEqual([500, 'file-damaged'])
    }
    expect(await file.shown()).toMatchObject({ state: 'damaged', isInline: false, size: SIZE })
    expect(logged).toEqual([DAMAGE])
  })

  it('that has other bytes ends the response early, and is logged and shown', async () => {
    const file = await receive()
    await overwrite(file.name, randomBytes(SIZE))
    logged.length = 0
    await expect(download(file.id)).rejects.toThrow()
    await expect.poll(file.state).toBe('damaged')
    expect(logged).toEqual([DAMAGE])
  })

  it('that fits into one chunk is refused before anything is sent', async () => {
    const file = await receive(randomBytes(100))
    await overwrite(file.name, randomBytes(100))
    const { status, body } = await download(file.id)
    expect([status, body.code]).toEqual([500, 'file-damaged'])
  })

  it('is whole again after it was restored and downloaded', async () => {
    const file = await receive()
    await overwrite(file.name, file.bytes.subarray(1))
    expect((await download(file.id)).status).toBe(500)
    await overwrite(file.name, file.bytes)
    expect(await file.state()).toBe('damaged')
    expect((await download(file.id)).status).toBe(200)
    await expect.poll(file.state).toBe('received')
  })

  it('is refused, and a restored one is sent, while the database refuses writes', async () => {
    const file = await receive()
    const { attachments } = stage.api.app.storage
    const full = () => Promise.reject(new StorageUnavailable('The disk is full.'))
    await overwrite(file.name, file.bytes.subarray(1))
    const refusing = vi.spyOn(attachments, 'noteDamage').mockImplementation(full)
    const { status, body } = await download(file.id)
    expect([status, body.code]).toEqual([500, 'file-damaged'])
    refusing.mockRestore()
    expect((await download(file.id)).status).toBe(500)
    expect(await file.state()).toBe('damaged')
    await overwrite(file.name, file.bytes)
    const alsoRefusing = vi.spyOn(attachments, 'noteDamage').mockImplementation(full)
    expect((await download(file.id)).status).toBe(200)
    expect(alsoRefusing).toHaveBeenCalled()
    alsoRefusing.mockRestore()
  })

  it.each([
    ['the same report', false],
    ['another report', true],
  ])('is replaced when %s uploads the same bytes', async (_, isOther) => {
    const file = await receive()
    const { submissionId, name, bytes } = file
    await overwrite(name, bytes.subarray(1))
    expect((await download(file.id)).status).toBe(500)
    const other = isOther ? randomUUID() : submissionId
    if (isOther) await report({ submissionId: other, attachments: [declare(bytes)] })
    expect((await put(other, bytes)).status).toBe(isOther ? 201 : 200)
    expect(await file.state()).toBe('received')
    expect((await download(file.id)).status).toBe(200)
    await expect.poll(names).not.toContain(name)
  })
})

describe('an upload of bytes that the project already has', () => {
  it('is written like any other, then discarded', async () => {
    const { bytes } = await receive()
    const before = await names()
    const submissionId = randomUUID()
    await report({ submissionId, attachments: [declare(bytes)] })
    const putting = vi.spyOn(stage.api.app.files, 'put')
    expect((await put(submissionId, bytes)).status).toBe(201)
    expect(putting.mock.calls.map(([{ size }]) => size)).toEqual([SIZE])
    putting.mockRestore()
    await expect.poll(names).toEqual(before)
  })
})

describe('a file that a browser shows', () => {
  it('has the extension of its type, whatever its sender called it', async () => {
    const { id, attachmentIds } = await reportWith([{ bytes: PNG, name: 'invoice.html' }])
    expect((await attachments(id))[0].name).toBe('invoice.png')
    const { headers } = await download(attachmentIds[0] ?? '')
    expect(headers.get('content-disposition')).toBe('inline; filename=invoice.png')
    const event = (await stage.history(id)).at(-1)
    expect(event.changes[0].to.name).toBe('invoice.png')
  })
})
