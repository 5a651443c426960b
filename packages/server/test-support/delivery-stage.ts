import type { Delivery, Event } from '@bugle/contract'
import { afterAll, afterEach, beforeAll } from 'vitest'
import { assertMessageInContract } from './call-api.ts'
import { type Answer, startApp, type TestApp, type TestProject } from './start-app.ts'
import { type Receiver, startReceiver } from './start-receiver.ts'

/** An app and a receiver that it may send to, for all tests of a file that are about webhooks. Every message is checked against the contract. */
export function setDeliveryStage() {
  let api: TestApp
  let project: TestProject
  let receiver: Receiver
  let skippedMs = 0

  beforeAll(async () => {
    api = await startApp({
      environment: { BUGLE_ALLOW_PRIVATE_WEBHOOKS: '127.0.0.1' },
      clock: () => Date.now() + skippedMs,
    })
    receiver = await startReceiver()
  })
  afterAll(async () => {
    await api[Symbol.asyncDispose]()
    await receiver[Symbol.asyncDispose]()
  })
  afterEach(() => {
    receiver.react(() => ({ status: 200 }))
    for (const { text } of receiver.received) assertMessageInContract(text)
  })

  const send = (method: string, path: string, body?: unknown, key = project.secretKey) =>
    api.send(method, `/v1/webhooks${path}`, { key, ...(body !== undefined && { body }) })
  const deliveries = async (id: string): Promise<readonly Delivery[]> =>
    (await send('GET', `/${id}/deliveries`)).body.data

  /** Starts a new project, so that earlier events do not matter. */
  async function newProject(): Promise<TestProject> {
    project = await api.addProject()
    return project
  }

  return {
    get api() {
      return api
    },
    get project() {
      return project
    },
    get receiver() {
      return receiver
    },
    get skippedMs() {
      return skippedMs
    },
    skip(ms: number): void {
      skippedMs += ms
    },
    newProject,
    send,
    deliveries,

    /** Creates a webhook in a new project. */
    async create(body: object = {}): Promise<Answer['body']> {
      await newProject()
      return (await send('POST', '', { url: receiver.url, ...body })).body
    },
    report: async (body: object = {}): Promise<Answer['body']> =>
      (await api.send('POST', '/v1/issues', { key: project.publicKey, body: { title: 'Blank', ...body } }))
        .body,
    events: async (): Promise<readonly Event[]> =>
      (await api.send('GET', '/v1/events', { key: project.secretKey })).body.data,
    statusesOf: async (id: string) => (await deliveries(id)).map(({ status }) => status),
    told: (id: string) =>
      receiver.received.filter(({ headers }) => headers['webhook-id']?.includes(id.slice(4))),
  }
}
