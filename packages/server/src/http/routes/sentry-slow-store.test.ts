import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { brotliCompressSync, constants } from 'node:zlib'
import { expect, it } from 'vitest'
import {
  envelopeOf,
  eventEnvelope,
  eventId,
  sentryAuth,
  sentryPath,
} from '../../../test-support/sentry-stage.ts'
import { startApp, type TestApp, type TestProject } from '../../../test-support/start-app.ts'

/** A bucket that receives files, and does not respond. */
async function startSilentBucket() {
  let puts = 0
  const server = createServer((request) => {
    if (request.method === 'PUT') puts++
    request.resume()
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  return {
    environment: { BUGLE_ATTACHMENTS_URL: `s3://key:secret@127.0.0.1:${port}/files?tls=off` },
    get puts() {
      return puts
    },
    async [Symbol.asyncDispose]() {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}

function pack(bytes: Buffer): Buffer {
  return brotliCompressSync(bytes, { params: { [constants.BROTLI_PARAM_QUALITY]: 1 } })
}

function withFiles(count: number): Buffer {
  const files = Array.from(
    { length: count },
    (_, at) => [{ type: 'attachment' }, Buffer.alloc(200_000, at)] as const,
  )
  return envelopeOf({ event_id: eventId() }, [{ type: 'event' }, { message: 'With files' }], ...files)
}

function send(api: TestApp, project: TestProject, body: Buffer, encoding?: string) {
  const headers = { ...sentryAuth(project), ...(encoding && { 'content-encoding': encoding }) }
  return api.send('POST', sentryPath(project), { body, headers })
}

it('an envelope whose files wait for the store does not keep others from being unpacked', async () => {
  await using bucket = await startSilentBucket()
  await using api = await startApp({ environment: bucket.environment })
  const [one, other] = [await api.addProject(), await api.addProject()]
  let isAnswered = false
  const slow = send(api, one, pack(withFiles(1)), 'br').finally(() => {
    isAnswered = true
  })
  await expect.poll(() => bucket.puts).toBe(1)
  const { status } = await send(api, other, pack(eventEnvelope(eventId())), 'br')
  expect([status, isAnswered]).toEqual([200, false])
  expect((await slow).status).toBe(200)
}, 120_000)

it.each(['br', undefined])(
  'all files of an envelope wait for the store once, together: %s',
  async (encoding) => {
    await using bucket = await startSilentBucket()
    await using api = await startApp({ environment: bucket.environment })
    const project = await api.addProject()
    const body = withFiles(3)
    expect((await send(api, project, encoding ? pack(body) : body, encoding)).status).toBe(200)
    // The next one would be sent only once the report no longer waits for the first.
    expect(bucket.puts).toBe(1)
    const key = project.secretKey
    const [issue] = (await api.send('GET', '/v1/issues', { key })).body.data
    const { data } = (await api.send('GET', `/v1/issues/${issue.id}/attachments`, { key })).body
    expect(data.map((file: { omittedReason: string }) => file.omittedReason)).toEqual(
      Array(3).fill('server-busy'),
    )
  },
  60_000,
)
