import { createHash, randomBytes, randomUUID } from 'node:crypto'
import { Readable } from 'node:stream'
import { endpoints } from '@bugle/contract'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { startApp, type TestApp } from '../../server/test-support/start-app.ts'
import { createClient } from './client.ts'
import { ApiProblem, ApiUnreachable } from './problems.ts'

let app: TestApp
beforeAll(async () => {
  app = await startApp()
})
afterAll(() => app[Symbol.asyncDispose]())

async function declareFile(bytes: Buffer) {
  const project = await app.addProject()
  const client = createClient({ url: app.url, key: project.secretKey })
  const sha256 = createHash('sha256').update(bytes).digest('hex')
  const submissionId = randomUUID()
  const attachments = [{ name: 'a.bin', contentType: 'application/octet-stream', size: bytes.length, sha256 }]
  const body = { title: 'With a file', submissionId, attachments }
  const { body: issue } = await client.call(endpoints.submitIssue, { body })
  return { client, issue, submissionId, sha256 }
}

test('uploads and downloads a file, and reports progress', async () => {
  const bytes = randomBytes(300_000)
  const { client, issue, ...place } = await declareFile(bytes)
  const sent: number[] = []
  const { id, omitted } = await client.upload({ ...place, bytes, onProgress: (done) => sent.push(done) })
  expect(omitted).toBe(false)
  expect(sent.at(0)).toBe(0)
  expect(sent.at(-1)).toBe(300_000)
  expect(sent).toEqual(sent.toSorted((a, b) => a - b))
  const [listed] = await Readable.from(
    client.items(endpoints.listIssueAttachments, { params: { id: issue.id } }),
  ).toArray()
  expect(listed).toMatchObject({ id, state: 'received' })

  const received: [number, number][] = []
  const download = await client.download(id, { onProgress: (...progress) => received.push(progress) })
  expect(download.size).toBe(300_000)
  expect(Buffer.concat(await Readable.from(download.bytes).toArray()).equals(bytes)).toBe(true)
  expect(received.at(-1)).toEqual([300_000, 300_000])
})

test('fails as every call does', async () => {
  const { client, ...place } = await declareFile(Buffer.from('abc'))
  await expect(client.upload({ ...place, bytes: Buffer.from('abd') })).rejects.toThrow(ApiProblem)
  await expect(client.download('att_unknown')).rejects.toThrow(ApiProblem)
  await expect(createClient({ url: 'http://127.0.0.1:1' }).download('x')).rejects.toThrow(ApiUnreachable)
})

test('a reader may leave early', async () => {
  const bytes = randomBytes(500_000)
  const { client, issue: _, ...place } = await declareFile(bytes)
  const { id } = await client.upload({ ...place, bytes })
  for await (const chunk of (await client.download(id)).bytes) {
    expect(chunk.length).toBeGreaterThan(0)
    break
  }
})
