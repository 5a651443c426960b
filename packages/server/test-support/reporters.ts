import { createHash, randomBytes } from 'node:crypto'
import type { Answer } from './call-api.ts'
import { setIssueStage } from './issue-stage.ts'
import type { TestApp, TestProject } from './start-app.ts'

/** A person who reports problems from an installation of an app. */
export interface TestReporter {
  readonly secret: string
  readonly keyHash: string
  /** Submits a report; resolves to the ids of its issue and of the report. */
  submit(report?: object): Promise<{ readonly issueId: string; readonly reportId: string }>
  /** Sends a request below `/v1/my`. */
  ask(path: string, options?: RequestOptions): Promise<Answer>
  /** The reports, as the reporter sees them. */
  reports(): Promise<Answer['body'][]>
  /** The conversation about a report, as `[from, text]`. */
  messages(reportId: string): Promise<readonly (readonly [from: string, text: string])[]>
  write(reportId: string, text: string, messageId?: string): Promise<Answer>
}

interface RequestOptions {
  readonly method?: string
  readonly body?: object
  readonly tag?: string
}

export function createReporter(
  api: Pick<TestApp, 'send'>,
  project: Pick<TestProject, 'publicKey' | 'secretKey'>,
  secret = randomBytes(32).toString('base64url'),
): TestReporter {
  const keyHash = createHash('sha256').update(secret).digest('hex')
  let messages = 0

  async function ask(path: string, { method = 'GET', body, tag }: RequestOptions = {}): Promise<Answer> {
    return api.send(method, `/v1/my${path}`, {
      key: project.publicKey,
      headers: { 'bugle-reporter': secret, ...(tag !== undefined && { 'if-none-match': tag }) },
      ...(body && { body }),
    })
  }

  return {
    secret,
    keyHash,
    ask,
    async submit(report = {}) {
      const body = { title: 'Settings stay blank', reporterKeyHash: keyHash, ...report }
      const { body: record } = await api.send('POST', '/v1/issues', { key: project.publicKey, body })
      const { body: page } = await api.send('GET', `/v1/issues/${record.id}/reports?pageSize=1`, {
        key: project.secretKey,
      })
      return { issueId: record.id, reportId: page.data[0].id }
    },
    async reports() {
      return (await ask('/reports')).body.data
    },
    async messages(reportId) {
      const { body } = await ask(`/reports/${reportId}/messages`)
      return body.data.map((message: Answer['body']) => [message.from, message.text])
    },
    write: (reportId, text, messageId = `message-${++messages}`) =>
      ask(`/reports/${reportId}/messages`, { method: 'POST', body: { messageId, text } }),
  }
}

/** Helpers for tests of what reporters and the team write to each other. */
export function setReporterStage(options?: Parameters<typeof setIssueStage>[0]) {
  const stage = setIssueStage(options)
  let replies = 0
  const send = (method: string, path: string, body?: object, key = stage.project.secretKey) =>
    stage.api.send(method, path, { key, ...(body && { body }) })
  return Object.assign(stage, {
    reporter: (secret?: string) => createReporter(stage.api, stage.project, secret),
    send,
    /** Replies to the reporters of an issue. */
    reply: (issueId: string, text: string, fields: object = {}) =>
      send('POST', `/v1/issues/${issueId}/comments`, {
        commentId: `reply-${++replies}`,
        text,
        audience: 'reporters',
        ...fields,
      }),
  })
}
