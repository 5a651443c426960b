import { randomBytes, randomUUID } from 'node:crypto'
import { Readable } from 'node:stream'
import { describe, expect, it } from 'vitest'
import { declare, setAttachmentStage } from '../../../../test-support/attachment-stage.ts'
import { NO_REMOVAL } from '../../../../test-support/start-app.ts'
import { createFileRemoval } from '../../../workers/remove-files.ts'

const stage = setAttachmentStage()
const { report, reportWith, put, attachments, download } = stage

describe('deletion', () => {
  const steady = setAttachmentStage({ intervals: NO_REMOVAL })

  it('removes a file with the last report that has it, not earlier', async () => {
    const { storage, files } = steady.api.app
    const removeFiles = createFileRemoval({ storage, store: files })
    const bytes = randomBytes(500)
    const one = await steady.reportWith([{ bytes }])
    const other = await steady.reportWith([{ bytes }])
    const storedFiles = () => Readable.from(files.list()).toArray()
    // The second copy is removed after the response.
    await expect.poll(storedFiles).toHaveLength(1)
    const remove = async (id: string) => {
      await steady.api.send('DELETE', `/v1/issues/${id}`, { key: steady.project.secretKey })
      await removeFiles()
    }
    await remove(one.id)
    expect((await steady.download(one.attachmentIds[0] ?? '')).status).toBe(404)
    expect((await steady.put(one.submissionId, bytes)).status).toBe(404)
    expect((await steady.download(other.attachmentIds[0] ?? '')).status).toBe(200)
    await remove(other.id)
    expect(await storedFiles()).toEqual([])
  })

  it('a file that is gone from the store is damaged', async () => {
    const { files } = steady.api.app
    const { attachmentIds } = await steady.reportWith([{ bytes: randomBytes(501) }])
    for (const { name } of await Readable.from(files.list()).toArray()) await files.remove(name)
    const { status, body } = await steady.download(attachmentIds[0] ?? '')
    expect([status, body.code]).toEqual([500, 'file-damaged'])
  })
})

describe('deleting an issue with many reports', () => {
  it('removes its files in the background', async () => {
    const fingerprint = randomUUID()
    const { id, attachmentIds } = await reportWith([{ bytes: randomBytes(503) }], { fingerprint })
    for (let count = 2; count <= 60; count++) await report({ fingerprint })
    const removal = await stage.api.send('DELETE', `/v1/issues/${id}`, { key: stage.project.secretKey })
    expect(removal.status).toBe(204)
    expect((await download(attachmentIds[0] ?? '')).status).toBe(404)
    const isStored = async () => {
      for await (const { size } of stage.api.app.files.list()) if (size === 503) return true
      return false
    }
    await expect.poll(isStored).toBe(false)
  })
})

describe('deleting a report', () => {
  it('removes its files and no others', async () => {
    const fingerprint = randomUUID()
    const first = await reportWith([{ bytes: randomBytes(501) }], { fingerprint })
    const second = await reportWith([{ bytes: randomBytes(502) }], { fingerprint })
    const [{ id: reportId }] = (await stage.get(`/v1/issues/${first.id}/reports`)).data
    const path = `/v1/issues/${first.id}/reports/${reportId}`
    expect((await stage.api.send('DELETE', path, { key: stage.project.secretKey })).status).toBe(204)
    expect((await attachments(first.id)).map(({ reportNumber }) => reportNumber)).toEqual([1])
    expect((await download(second.attachmentIds[0] ?? '')).status).toBe(404)
    expect((await put(second.submissionId, 'a')).status).toBe(404)
    const sizes = async () => {
      const found: number[] = []
      for await (const { size } of stage.api.app.files.list()) found.push(size)
      return [found.includes(501), found.includes(502)]
    }
    await expect.poll(sizes).toEqual([true, false])
  })
})

describe('of an issue with many reports', () => {
  it('the files of the first 20 and the latest 80 are kept', async () => {
    const fingerprint = randomUUID()
    const early = await reportWith([{ bytes: 'early' }], { fingerprint })
    for (let count = 2; count <= 20; count++) await report({ fingerprint })
    const middle = await reportWith([{ bytes: 'in the middle' }], { fingerprint })
    const submissionId = randomUUID()
    await report({ fingerprint, submissionId, attachments: [declare('never sent')] })
    for (let count = 23; count <= 101; count++) await report({ fingerprint })
    expect((await download(middle.attachmentIds[0] ?? '')).status).toBe(404)
    const late = await reportWith([{ bytes: 'late' }], { fingerprint })
    const states = (await attachments(early.id)).map(({ reportNumber, state }) => [reportNumber, state])
    expect(states).toEqual([
      [102, 'received'],
      [22, 'omitted'],
      [21, 'omitted'],
      [1, 'received'],
    ])
    const answer = await put(submissionId, 'never sent')
    expect([answer.status, answer.body.omitted]).toEqual([200, true])
    expect((await download(late.attachmentIds[0] ?? '')).text).toBe('late')
    expect((await download(early.attachmentIds[0] ?? '')).text).toBe('early')
    // The bytes are deleted too.
    await expect
      .poll(async () => {
        const sizes: number[] = []
        for await (const { size } of stage.api.app.files.list()) sizes.push(size)
        return sizes.includes('in the middle'.length)
      })
      .toBe(false)
  })
})
