import { randomUUID } from 'node:crypto'
import { projectNumberOf } from '../src/model/ids.ts'
import { setAttachmentStage } from './attachment-stage.ts'
import type { TestApp, TestProject } from './start-app.ts'

/** An item of an envelope: its header, and its payload. */
export type Item = readonly [header: Readonly<Record<string, unknown>>, payload: Uint8Array | string | object]

/** An envelope as bytes. Items have a length unless their header says otherwise. */
export function envelopeOf(header: object, ...items: readonly Item[]): Buffer {
  const parts = items.flatMap(([itemHeader, payload]) => {
    const bytes = bytesOf(payload)
    return [JSON.stringify({ length: bytes.length, ...itemHeader }), '\n', bytes, '\n']
  })
  return Buffer.concat([JSON.stringify(header), '\n', ...parts].map((part) => Buffer.from(part)))
}

function bytesOf(payload: Item[1]): Buffer {
  if (typeof payload === 'string' || payload instanceof Uint8Array) return Buffer.from(payload)
  return Buffer.from(JSON.stringify(payload))
}

/** The address that an SDK with the project's DSN sends to. */
export function sentryPath({ id }: Pick<TestProject, 'id'>, end = 'envelope'): string {
  return `/api/${projectNumberOf(id)}/${end}/`
}

export function sentryAuth({ publicKey }: Pick<TestProject, 'publicKey'>): Record<string, string> {
  return { 'x-sentry-auth': `Sentry sentry_version=7, sentry_client=test/1, sentry_key=${publicKey}` }
}

export function eventId(): string {
  return randomUUID().replaceAll('-', '')
}

/** An event of a crash in Python. */
export const EVENT = {
  platform: 'python',
  release: 'shop@2.4.1+512',
  environment: 'production',
  exception: {
    values: [
      { type: 'KeyError', value: "'total'" },
      {
        type: 'CheckoutError',
        value: 'no total',
        stacktrace: {
          frames: [
            { function: 'main', filename: 'app.py', lineno: 1, in_app: true },
            { function: 'pay', module: 'shop.cart', filename: 'shop/cart.py', lineno: 12, in_app: true },
          ],
        },
      },
    ],
  },
  user: { id: '7', email: 'ada@example.com', ip_address: '10.0.0.1' },
}

export function eventEnvelope(id: string, event: object = EVENT) {
  return envelopeOf({ event_id: id, sent_at: new Date().toISOString() }, [{ type: 'event' }, event])
}

/** Helpers for tests of what Sentry's SDKs send. */
export function setSentryStage(options?: Parameters<typeof setAttachmentStage>[0]) {
  const stage = setAttachmentStage(options)
  return Object.assign(stage, {
    /** Sends a body as an SDK does. */
    post: (body: Uint8Array | string, headers?: Record<string, string>) =>
      stage.api.send('POST', sentryPath(stage.project), {
        body,
        headers: { ...sentryAuth(stage.project), ...headers },
      }),
    /** Of the project, or of one of another app. Counts are stored every second. */
    async intakeOf(project: TestProject = stage.project, api: Pick<TestApp, 'send'> = stage.api) {
      const path = `/v1/projects/${project.slug}/stats`
      return (await api.send('GET', path, { key: project.secretKey })).body.intake
    },
    issues: async () => (await stage.get('/v1/issues?sort=oldest&pageSize=100')).data,
  })
}
