import { randomUUID } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { APPS } from '../../../test-support/sentry-platforms/apps.ts'
import type { Counts, SentryPlatform } from '../../../test-support/sentry-platforms/platform.ts'
import { SERVERS } from '../../../test-support/sentry-platforms/servers.ts'
import {
  envelopeOf,
  type Item,
  sentryAuth,
  sentryPath,
  setSentryStage,
} from '../../../test-support/sentry-stage.ts'
import type { TestProject } from '../../../test-support/start-app.ts'

const stage = setSentryStage()

interface Sent {
  readonly project: TestProject
  readonly status: number
}

/** Sends an envelope to a project of its own, so that the project's ledger counts nothing else. */
async function send(body: Buffer): Promise<Sent> {
  const project = await stage.api.addProject()
  const { status } = await stage.api.send('POST', sentryPath(project), { body, headers: sentryAuth(project) })
  return { project, status }
}

// biome-ignore lint/suspicious/noExplicitAny: a test reads the fields it expects, and fails if they are missing
async function issuesOf({ secretKey }: TestProject): Promise<readonly any[]> {
  const issues = []
  for (const { id } of (await stage.get('/v1/issues', secretKey)).data)
    issues.push(await stage.get(`/v1/issues/${id}`, secretKey))
  return issues
}

/** What the ledger says about a project. Counts are stored a little later than reports. */
async function ledgerOf({ slug, secretKey }: TestProject) {
  return (await stage.get(`/v1/projects/${slug}/stats`, secretKey)).intake
}

async function skippedOf(project: TestProject): Promise<Counts> {
  return (await ledgerOf(project)).skipped
}

function eventId(): string {
  return randomUUID().replaceAll('-', '')
}

function itemsOf({ event, beside }: SentryPlatform): readonly Item[] {
  return [[{ type: 'event', content_type: 'application/json' }, event], ...beside]
}

function envelopeFrom(platform: SentryPlatform, id = eventId()): Buffer {
  return envelopeOf({ event_id: id, sent_at: new Date().toISOString() }, ...itemsOf(platform))
}

/** The same envelope with another event. */
function withEvent(platform: SentryPlatform, header: Item[0], payload: Item[1]): Buffer {
  return envelopeOf({ event_id: eventId() }, [{ type: 'event', ...header }, payload], ...platform.beside)
}

interface Broken {
  /** The rule that the envelope breaks. */
  readonly section: string
  readonly body: (platform: SentryPlatform) => Buffer
  readonly isStored: boolean
  readonly skipped: (platform: SentryPlatform) => Counts
}

/** What no SDK should send. After what cannot be read, nothing in the envelope can be found. */
const BROKEN: Readonly<Record<string, Broken>> = {
  'ends within the event': {
    section: 'Envelopes, Items: the envelope is EOF before the number of bytes has been consumed',
    body: ({ event }) => envelopeOf({}, [{ type: 'event' }, event]).subarray(0, -10),
    isStored: false,
    skipped: () => ({ event: 1 }),
  },
  'continues on the line of the event': {
    section: 'Envelopes, Items: payloads must terminate with a newline',
    body: ({ event, beside }) =>
      Buffer.concat([
        envelopeOf({ event_id: eventId() }, [{ type: 'event' }, event]).subarray(0, -1),
        Buffer.from(' '),
        envelopeOf({}, ...beside).subarray('{}\n'.length),
      ]),
    isStored: true,
    skipped: () => ({ malformed: 1 }),
  },
  'has an event with a length that is too short': {
    section: 'Envelopes, Items: any other character means the Envelope is malformed',
    body: (platform) => withEvent(platform, { length: 7 }, platform.event),
    isStored: false,
    skipped: () => ({ event: 1, malformed: 1 }),
  },
  'has an event with a length that is no number': {
    section: 'Envelopes, Items: length is an integer',
    body: (platform) => withEvent(platform, { length: 'all of it' }, platform.event),
    isStored: false,
    skipped: () => ({ malformed: 1 }),
  },
  'has an event without a type': {
    section: 'Envelopes, Items: type is required',
    body: (platform) => withEvent(platform, { type: undefined }, platform.event),
    isStored: false,
    skipped: () => ({ malformed: 1 }),
  },
  'has an item whose header is not JSON': {
    section: 'Envelopes, Headers: must be valid JSON',
    body: (platform) => Buffer.concat([envelopeFrom(platform), Buffer.from('{"type":\nx\n')]),
    isStored: true,
    skipped: ({ skipped }) => ({ ...skipped, malformed: 1 }),
  },
  'has an event that is not JSON': {
    section: 'Envelope Items, Event: encoded in JSON',
    body: (platform) => withEvent(platform, {}, '{"message":'),
    isStored: false,
    skipped: withoutEvent,
  },
  'has an event that is a list': {
    section: 'Event Payloads, Required Attributes: an event is an object',
    body: (platform) => withEvent(platform, {}, [platform.event]),
    isStored: false,
    skipped: withoutEvent,
  },
}

/** The items beside an event that is skipped are counted, and its files are skipped with it. */
function withoutEvent({ skipped, files }: SentryPlatform): Counts {
  return { ...skipped, event: 1, ...(files.length > 0 && { attachment: files.length }) }
}

describe.each(Object.entries({ ...APPS, ...SERVERS }))('an envelope of %s', (_, platform) => {
  it(`becomes a report with its files, once (${platform.section})`, async () => {
    const id = eventId()
    const body = envelopeFrom(platform, id)
    const { project, status } = await send(body)
    const again = await stage.api.send('POST', sentryPath(project), { body, headers: sentryAuth(project) })
    expect([status, again.status, again.body]).toEqual([200, 200, { id }])
    const [issue, ...others] = await issuesOf(project)
    expect(others).toEqual([])
    expect(issue).toMatchObject({ ...platform.expected, submissionId: id, reportCount: 1 })
    const [report] = (await stage.get(`/v1/issues/${issue.id}/reports`, project.secretKey)).data
    expect(issue.description ?? '').toContain(platform.stack)
    expect(report.exception?.[0]?.frames.length ?? 0).toBe(platform.stack.match(/ at /g)?.length ?? 0)
    const files = await stage.attachments(issue.id, project.secretKey)
    expect(files.map(({ name, state }) => [name, state])).toEqual(
      platform.files.map((name) => [name, 'received']),
    )
    const skipped = Object.fromEntries(
      Object.entries(platform.skipped).map(([reason, count]) => [reason, 2 * count]),
    )
    expect(await ledgerOf(project)).toMatchObject({ received: 2, stored: 1, replayed: 1, refused: {} })
    await expect.poll(() => skippedOf(project)).toEqual(skipped)
  })

  it(`is skipped and counted if nothing of it is kept (${platform.notKept.section})`, async () => {
    const { project, status } = await send(envelopeOf({ event_id: eventId() }, ...platform.notKept.items))
    expect(status).toBe(200)
    await expect.poll(() => skippedOf(project)).toEqual(platform.notKept.skipped)
    expect(await issuesOf(project)).toEqual([])
  })

  it('keeps what is whole and counts what is skipped, however it is broken', async () => {
    const sent = []
    for (const [name, broken] of Object.entries(BROKEN))
      sent.push({ name, broken, ...(await send(broken.body(platform))) })
    for (const { name, broken, project, status } of sent) {
      const label = `${name} (${broken.section})`
      expect([label, status]).toEqual([label, 200])
      await expect.poll(() => skippedOf(project), { message: label }).toEqual(broken.skipped(platform))
      const issues = await issuesOf(project)
      expect([label, issues.length]).toEqual([label, broken.isStored ? 1 : 0])
      if (broken.isStored) expect(issues[0]).toMatchObject(platform.expected)
    }
  })

  it('is refused if its own header is not JSON (Envelopes, Headers)', async () => {
    const { project, status } = await send(envelopeFrom(platform).subarray(1))
    expect(status).toBe(400)
    await expect.poll(async () => (await ledgerOf(project)).refused).toEqual({ 'malformed-body': 1 })
    expect(await ledgerOf(project)).toMatchObject({ stored: 0, skipped: {} })
    expect(await issuesOf(project)).toEqual([])
  })

  it('is a report without its files if its id is no UUID (Event Payloads, Required Attributes)', async () => {
    const { project, status } = await send(envelopeOf({ event_id: 'the first' }, ...itemsOf(platform)))
    expect(status).toBe(200)
    const [issue] = await issuesOf(project)
    expect(issue).toMatchObject({ ...platform.expected, submissionId: null })
    const files = platform.files.length
    await expect
      .poll(() => skippedOf(project))
      .toEqual({ ...platform.skipped, ...(files > 0 && { attachment: files }) })
  })

  it.each(Object.entries(platform.malformed))('is a report all the same with %s', async (__, odd) => {
    const { project, status } = await send(withEvent(platform, {}, { ...platform.event, ...odd.event }))
    expect(status).toBe(200)
    const [issue] = await issuesOf(project)
    expect(issue).toMatchObject(odd.expected)
    await expect.poll(() => skippedOf(project)).toEqual(platform.skipped)
  })
})
