import { expect } from 'vitest'
import { setAppStage } from './app-stage.ts'
import type { Answer } from './start-app.ts'

interface ChangeOptions {
  readonly key?: string
  readonly ifMatch?: string
  readonly type?: string
}

/** Helpers for tests of issues. */
export function setIssueStage(options?: Parameters<typeof setAppStage>[0]) {
  const stage = setAppStage(options)

  const submit = (body: unknown, headers?: Record<string, string>, key = stage.project.publicKey) =>
    stage.api.send('POST', '/v1/issues', { key, body, ...(headers && { headers }) })

  const get = async (path: string, key = stage.project.secretKey): Promise<Answer['body']> =>
    (await stage.api.send('GET', path, { key })).body

  return Object.assign(stage, {
    submit,
    /** Submits a valid report, and returns its record. */
    async report(body: object = {}, key?: string): Promise<Answer['body']> {
      const answer = await submit({ title: 'Blank screen', ...body }, undefined, key)
      expect([200, 201]).toContain(answer.status)
      return answer.body
    },

    get,
    retrieve: (id: string, headers?: Record<string, string>, key = stage.project.secretKey) =>
      stage.api.send('GET', `/v1/issues/${id}`, { key, ...(headers && { headers }) }),
    history: async (id: string) => (await get(`/v1/issues/${id}/events`)).data,
    issueCount: async (): Promise<number> => (await get('/v1/issues')).pagination.totalCount,

    change: (
      id: string,
      body: unknown,
      { key = stage.project.secretKey, ifMatch, type }: ChangeOptions = {},
    ) =>
      stage.api.send('PATCH', `/v1/issues/${id}`, {
        key,
        body,
        headers: {
          'content-type': type ?? 'application/merge-patch+json',
          ...(ifMatch && { 'if-match': ifMatch }),
        },
      }),
  })
}
