import type { Receiver } from '../../../packages/server/test-support/start-receiver.ts'
import { expect, type Scene } from './stage.ts'

/** Preparations of tests and checks before they visit a page. */

/** Submits a report, which must get this status. */
export async function send({ app, project }: Scene, body: unknown, status: number): Promise<void> {
  expect((await app.send('POST', '/v1/issues', { key: project.publicKey, body })).status).toBe(status)
}

/** Changes an issue, through the API. */
export async function change(
  { app, project }: Scene,
  id: string,
  patch: Readonly<Record<string, unknown>>,
): Promise<void> {
  const { status } = await app.send('PATCH', `/v1/issues/${id}`, { key: project.secretKey, body: patch })
  expect(status).toBe(200)
}

/** Makes an issue a duplicate of another one, through the API. */
export async function merge({ app, project }: Scene, id: string, into: string): Promise<void> {
  const path = `/v1/issues/${id}/merge`
  const { status } = await app.send('POST', path, { key: project.secretKey, body: { into } })
  expect(status).toBe(200)
}

/** Waits until the ledger of the intake has that many: refusals are counted in memory, and stored every second. */
export async function allCounted({ app, project }: Scene, received: number): Promise<void> {
  const path = `/v1/projects/${project.slug}/stats`
  await expect
    .poll(async () => (await app.send('GET', path, { key: project.secretKey })).body.intake.received)
    .toBe(received)
}

export async function addWebhook({ app, project }: Scene, { url }: Receiver): Promise<void> {
  const body = { url, name: 'Team channel' }
  const { status } = await app.send('POST', '/v1/webhooks', { key: project.secretKey, body })
  expect(status).toBe(201)
}
