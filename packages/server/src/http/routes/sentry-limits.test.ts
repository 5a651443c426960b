import { randomBytes } from 'node:crypto'
import { request } from 'node:http'
import { describe, expect, it } from 'vitest'
import {
  envelopeOf,
  eventEnvelope,
  eventId,
  sentryAuth,
  sentryPath,
  setSentryStage,
} from '../../../test-support/sentry-stage.ts'
import { startApp } from '../../../test-support/start-app.ts'

const stage = setSentryStage()
const { intakeOf } = stage

describe('what is not kept', () => {
  it('is counted, and SDKs are told to stop sending it', async () => {
    await using api = await startApp()
    const project = await api.addProject()
    const envelope = envelopeOf(
      { event_id: eventId() },
      [{ type: 'transaction' }, { type: 'transaction' }],
      [{ type: 'session', length: undefined }, { status: 'ok' }],
      [{ type: 'made-up' }, randomBytes(1_000)],
      [{ type: 'attachment', filename: 'without an event' }, 'x'],
      [{ type: 'event' }, '{"message":'],
    )
    const sent = await api.send('POST', sentryPath(project), { body: envelope, headers: sentryAuth(project) })
    expect(sent.status).toBe(200)
    expect(sent.headers.get('x-sentry-rate-limits')).toMatch(/^86400:transaction;span;.*session.*:key$/)
    expect(sent.headers.get('access-control-expose-headers')).toContain('X-Sentry-Rate-Limits')
    await expect
      .poll(async () => (await intakeOf(project, api)).skipped)
      .toEqual({
        transaction: 1,
        session: 1,
        other: 1,
        attachment: 1,
        event: 1,
      })
    expect(await intakeOf(project, api)).toMatchObject({ received: 0, stored: 0, refused: {} })
  })

  it('is an event with more values than SDKs send', async () => {
    await using api = await startApp()
    const project = await api.addProject()
    const event = { message: 'Many values', extra: { rest: Array(200_000).fill(0) } }
    const headers = sentryAuth(project)
    const body = eventEnvelope(eventId(), event)
    expect((await api.send('POST', sentryPath(project), { body, headers })).status).toBe(200)
    await expect.poll(async () => (await intakeOf(project, api)).skipped).toEqual({ event: 1 })
    const stored = { body: JSON.stringify(event), headers }
    const refused = await api.send('POST', sentryPath(project, 'store'), stored)
    expect([refused.status, refused.body.detail]).toEqual([400, 'The body has more than 100,000 values.'])
  })

  it('is a second event in an envelope', async () => {
    await using api = await startApp()
    const project = await api.addProject()
    const items = ['one', 'two'].map((message) => [{ type: 'event' }, { message }] as const)
    const body = envelopeOf({ event_id: eventId() }, ...items)
    expect((await api.send('POST', sentryPath(project), { body, headers: sentryAuth(project) })).status).toBe(
      200,
    )
    await expect.poll(async () => (await intakeOf(project, api)).skipped).toEqual({ event: 1 })
    const { data } = (await api.send('GET', '/v1/issues', { key: project.secretKey })).body
    expect(data.map(({ title }: { title: string }) => title)).toEqual(['one'])
  })

  it('is more than the limits for files allow', async () => {
    await using api = await startApp({
      environment: { BUGLE_ATTACHMENT_LIMITS: 'file=1000,report=1500,count=4' },
    })
    const project = await api.addProject()
    const id = eventId()
    const file = (size: number) => [{ type: 'attachment' }, randomBytes(size)] as const
    const envelope = envelopeOf(
      { event_id: id },
      [{ type: 'event' }, { message: 'Large files' }],
      ...[1_001, 900, 900, 600, 1].map(file),
    )
    const sent = await api.send('POST', sentryPath(project), { body: envelope, headers: sentryAuth(project) })
    expect(sent.status).toBe(200)
    await expect.poll(async () => (await intakeOf(project, api)).skipped).toEqual({ attachment: 3 })
  })

  it('is what exceeds the quota of the project for files; the report is stored', async () => {
    await using api = await startApp({ environment: { BUGLE_ATTACHMENT_LIMITS: 'project=1000' } })
    const project = await api.addProject()
    const states = []
    for (const title of ['first', 'second', 'third']) {
      const file = [
        { type: 'attachment', filename: title },
        randomBytes(title === 'third' ? 400 : 600),
      ] as const
      const body = envelopeOf({ event_id: eventId() }, [{ type: 'event' }, { message: title }], file)
      const sent = await api.send('POST', sentryPath(project), { body, headers: sentryAuth(project) })
      expect(sent.status).toBe(200)
      const key = project.secretKey
      const issue = (await api.send('GET', '/v1/issues', { key })).body.data.find(
        (one: { title: string }) => one.title === title,
      )
      const files = await api.send('GET', `/v1/issues/${issue.id}/attachments`, { key })
      const [{ state, omittedReason }] = files.body.data
      states.push([issue.title, state, omittedReason, issue.attachmentState])
    }
    expect(states).toEqual([
      ['first', 'received', null, 'received'],
      ['second', 'omitted', 'no-space', null],
      ['third', 'received', null, 'received'],
    ])
    await expect.poll(async () => (await intakeOf(project, api)).skipped).toEqual({ attachment: 1 })
  })
})

it('counts each file towards the limits of uploads, and skips what exceeds them', async () => {
  await using api = await startApp({ environment: { BUGLE_RATE_LIMITS: 'upload=2' } })
  const project = await api.addProject()
  const files = [1, 2, 3, 4].map((size) => [{ type: 'attachment' }, randomBytes(size)] as const)
  const event = { message: 'Many files' }
  const envelope = envelopeOf({ event_id: eventId() }, [{ type: 'event' }, event], ...files)
  const { status } = await api.send('POST', sentryPath(project), {
    body: envelope,
    headers: sentryAuth(project),
  })
  expect(status).toBe(200)
  await expect.poll(async () => (await intakeOf(project, api)).skipped).toEqual({ attachment: 2 })
})

it('counts towards the limits of submissions', async () => {
  await using api = await startApp({ environment: { BUGLE_RATE_LIMITS: 'submit=2' } })
  const project = await api.addProject()
  const send = () =>
    api.send('POST', sentryPath(project), { body: eventEnvelope(eventId()), headers: sentryAuth(project) })
  expect([(await send()).status, (await send()).status]).toEqual([200, 200])
  const limited = await send()
  expect([limited.status, limited.headers.get('retry-after')]).toEqual([429, expect.any(String)])
  await expect.poll(async () => (await intakeOf(project, api)).limited).toBe(1)
})

it('refuses large events for now while others fill the memory for them, and stores usual ones', async () => {
  await using api = await startApp()
  const project = await api.addProject()
  const path = sentryPath(project)
  const largeEvent = () =>
    eventEnvelope(eventId(), { message: 'Large', extra: { rest: 'x'.repeat(1_000_000) } })
  /** Without its last byte, an event stays in memory. */
  function hold() {
    const body = largeEvent()
    const headers = { ...sentryAuth(project), 'content-length': body.length }
    const sending = request({ port: new URL(api.url).port, method: 'POST', path, headers, agent: false })
    const status = new Promise<number | undefined>((resolve) => {
      sending.on('error', () => resolve(undefined))
      sending.on('response', (response) => resolve(response.resume().statusCode))
    })
    sending.write(body.subarray(0, -1))
    return { status, finish: () => sending.end(body.subarray(-1)) }
  }
  const send = (body: Buffer) => api.send('POST', path, { body, headers: sentryAuth(project) })
  const held: ReturnType<typeof hold>[] = []
  // One after another: if many arrived together, so many would be refused that there would be room again.
  await expect
    .poll(async () => {
      held.push(hold())
      return (await send(largeEvent())).status
    })
    .toBe(503)
  expect((await send(largeEvent())).headers.get('retry-after')).toBe('5')
  expect((await send(eventEnvelope(eventId()))).status).toBe(200)
  for (const { finish } of held) finish()
  const statuses = await Promise.all(held.map(({ status }) => status))
  expect(statuses.filter((status) => status === 200).length).toBeGreaterThan(0)
  await expect.poll(async () => (await send(largeEvent())).status).toBe(200)
})

it('responds to preflights of pages', async () => {
  const headers = { origin: 'https://app.example', 'access-control-request-method': 'POST' }
  const { status, headers: answer } = await stage.api.send('OPTIONS', sentryPath(stage.project), { headers })
  expect([status, answer.get('access-control-allow-origin')]).toEqual([204, '*'])
  expect(answer.get('access-control-allow-headers')).toContain('X-Sentry-Auth')
})
