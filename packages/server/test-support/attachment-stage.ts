import { createHash, randomUUID } from 'node:crypto'
import { expect } from 'vitest'
import { setIssueStage } from './issue-stage.ts'
import type { Answer } from './start-app.ts'

/** The declaration of a file with these bytes. */
export function declare(bytes: Uint8Array | string, name = 'note.txt', contentType = 'text/plain') {
  const content = Buffer.from(bytes)
  return { name, contentType, size: content.length, sha256: sha256Of(content) }
}

export function sha256Of(bytes: Uint8Array | string): string {
  return createHash('sha256').update(bytes).digest('hex')
}

/** The smallest PNG. */
export const PNG = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
)

/** Helpers for tests of attachments. */
export function setAttachmentStage(options?: Parameters<typeof setIssueStage>[0]) {
  const stage = setIssueStage(options)

  const put = (
    submissionId: string,
    bytes: Uint8Array | string,
    { key = stage.project.publicKey, sha256 = sha256Of(bytes), headers }: PutOptions = {},
  ) =>
    stage.api.send('PUT', `/v1/submissions/${submissionId}/attachments/${sha256}`, {
      key,
      body: bytes,
      headers: { 'content-type': 'application/octet-stream', ...headers },
    })

  return Object.assign(stage, {
    put,
    /** Reports an issue with files, and sends those. */
    async reportWith(files: readonly TestFile[], body: object = {}): Promise<ReportedWith> {
      const submissionId = randomUUID()
      const attachments = files.map(({ bytes, name, contentType }) => declare(bytes, name, contentType))
      const record = await stage.report({ submissionId, attachments, ...body })
      const answers: Answer[] = []
      for (const { bytes } of files) answers.push(await put(submissionId, bytes))
      expect(answers.filter(({ status }) => status > 201)).toEqual([])
      return { id: record.id, submissionId, attachmentIds: answers.map((answer) => answer.body.id) }
    },
    async attachments(id: string, key = stage.project.secretKey): Promise<Answer['body'][]> {
      return (await stage.api.send('GET', `/v1/issues/${id}/attachments`, { key })).body.data
    },
    download: (id: string, headers: Record<string, string> = {}, key = stage.project.secretKey) =>
      stage.api.send('GET', `/v1/attachments/${id}`, { key, headers }),
  })
}

interface PutOptions {
  readonly key?: string
  readonly sha256?: string
  readonly headers?: Record<string, string>
}

interface TestFile {
  readonly bytes: Uint8Array | string
  readonly name?: string
  readonly contentType?: string
}

interface ReportedWith {
  readonly id: string
  readonly submissionId: string
  readonly attachmentIds: readonly string[]
}
