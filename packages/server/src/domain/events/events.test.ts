import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { NOW, projectOf, reportFor } from '../../../test-support/storage-stage.ts'
import type { ProjectRecord } from '../../model/projects.ts'
import { openSqliteInline } from '../../storage/sqlite/sqlite-storage.ts'
import type { Storage } from '../../storage/storage.ts'
import type { Caller } from '../access/access.ts'
import { createCallers } from '../access/callers.ts'
import { createIssueFinder } from '../issues/issue-finder.ts'
import { createCatalog } from '../projects/catalog.ts'
import { mintKey } from '../projects/keys.ts'
import { createEventHub, type EventHub } from './event-hub.ts'
import { createEventViews } from './event-views.ts'
import { createEvents, type Events } from './events.ts'

let storage: Storage
let hub: EventHub
let events: Events
let project: ProjectRecord
let caller: Caller

beforeEach(async () => {
  storage = openSqliteInline(':memory:')
  hub = createEventHub(storage.events)
  const catalog = createCatalog(storage)
  const callers = createCallers({ storage, catalog, clock: () => NOW })
  const finder = createIssueFinder({ storage, catalog })
  const eventViews = createEventViews({ storage, catalog })
  events = createEvents({ storage, catalog, callers, finder, hub, eventViews })
  project = projectOf('weather')
  await storage.projects.create(project)
  const { key } = mintKey({
    projectId: project.id,
    kind: 'secret',
    name: null,
    scopes: ['events:read'],
    origins: [],
    createdAt: NOW,
  })
  await storage.keys.create(key)
  caller = { kind: 'key', key }
})
afterEach(async () => {
  hub.close()
  await storage.close()
})

describe('a stream', () => {
  it('sends an event immediately that happened between its read and its wait', {
    timeout: 12_000,
  }, async () => {
    const leaving = new AbortController()
    await storage.issues.submit(reportFor(project))
    const stream = await events.follow(caller, { after: 0 }, leaving.signal)
    const items = stream[Symbol.asyncIterator]()
    await items.next()
    // The reader has the first event and has not requested the next one yet, so nothing is waiting.
    await storage.issues.submit(reportFor(project))
    const next = items.next()
    await expect(next).resolves.toMatchObject({ value: { kind: 'events', events: [{ position: 2 }] } })
    leaving.abort()
    expect(await items.next()).toMatchObject({ done: true })
  })
})
