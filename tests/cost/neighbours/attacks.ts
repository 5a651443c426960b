import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { MAX_BULK_ISSUES } from '@bugle/contract'
import { createRandom } from '../../../packages/server/src/demo/random.ts'
import { openSocket } from '../../support/raw-socket.ts'
import { someSearch } from '../searches.ts'
import { holdEnvelopes, holdUploads } from './held-requests.ts'
import type { Stage } from './stage.ts'
import type { VictimKind } from './victim.ts'

const MAX_BULK_CLIENTS = 10
const SEARCH_CLIENTS = 40
const STREAMS = 1_000
/** Reports a second of the neighbour while its streams are open: half of what a project may send. */
const STREAMED_PACE_MS = 20
const PAGE_SIZE = 100
/** The statuses with which the server may protect itself. */
const OVERLOADED = [429, 503]
const RETRY_MS = 50

/** A way for one project to take as much of the server as it can get. */
export interface Attack {
  readonly name: string
  readonly victim: VictimKind
  /** Resolves once the neighbour holds what it can; ends when disposed of. */
  start(stage: Stage): Promise<AsyncDisposable>
}

/** READ FIRST: the rows of the second table of `npm run test:cost`. */
export const ATTACKS: readonly Attack[] = [
  { name: 'bulk changes', victim: 'submissions', start: changeInBulk },
  { name: 'event streams', victim: 'submissions', start: openStreams },
  { name: 'searches', victim: 'submissions', start: search },
  { name: 'slow uploads', victim: 'uploads', start: holdUploads },
  { name: 'half-sent texts', victim: 'large events', start: (stage) => holdEnvelopes(stage, 'text') },
  { name: 'half-sent files', victim: 'events with files', start: (stage) => holdEnvelopes(stage, 'files') },
]

/** Each client changes a thousand issues of its own, there and back. */
async function changeInBulk(stage: Stage): Promise<AsyncDisposable> {
  const issues = await listIssues(stage, MAX_BULK_CLIENTS * MAX_BULK_ISSUES)
  const sets = chunked(issues, MAX_BULK_ISSUES)
  return repeat(
    sets.map((set) => {
      let round = 0
      let body: object | undefined
      return async () => {
        const priority = round % 2 === 0 ? 'high' : 'low'
        const selected = set.map(({ id, version }) => ({ id, version }))
        // With the same id, a retry after a cut connection changes nothing twice.
        body ??= { bulkId: randomUUID(), issues: selected, action: 'change', patch: { priority } }
        const { status } = await stage.neighbour.request({ method: 'POST', path: '/v1/issues/bulk', body })
        expectStatus(status, 200)
        if (status !== 200) return sleep(RETRY_MS)
        round++
        body = undefined
        for (const issue of set.filter((one) => one.priority !== priority))
          Object.assign(issue, { priority, version: issue.version + 1 })
      }
    }),
  )
}

/** Half of the streams are read; the clients of the others stop reading. */
async function openStreams(stage: Stage): Promise<AsyncDisposable> {
  const { url, neighbour } = stage
  const request = [
    'GET /v1/events HTTP/1.1',
    'Host: localhost',
    `Authorization: Bearer ${neighbour.secretKey}`,
    'Accept: text/event-stream',
    '\r\n',
  ].join('\r\n')
  const streams = await Promise.all(
    Array.from({ length: STREAMS }, async (_, index) => {
      const stream = await openSocket(url)
      stream.write(request)
      await stream.waitFor(/^HTTP\/1\.1 200 /)
      if (index % 2 === 0) stream.socket.pause()
      // What was received is not needed, and would fill the memory.
      else stream.socket.removeAllListeners('data').resume()
      return stream
    }),
  )
  const submissions = repeat([
    async () => {
      const body = { title: 'For the streams' }
      const { status } = await neighbour.request({
        ...{ method: 'POST', path: '/v1/issues', key: neighbour.first.publicKey, body },
      })
      expectStatus(status, 201)
      await sleep(STREAMED_PACE_MS)
    },
  ])
  return {
    async [Symbol.asyncDispose]() {
      await submissions[Symbol.asyncDispose]()
      for (const stream of streams) stream[Symbol.dispose]()
    },
  }
}

async function search({ neighbour }: Stage): Promise<AsyncDisposable> {
  return repeat(
    Array.from({ length: SEARCH_CLIENTS }, (_, seed) => {
      const random = createRandom(seed)
      return async () => {
        const { status } = await neighbour.request({ path: someSearch(random) })
        expectStatus(status, 200)
      }
    }),
  )
}

interface SelectedIssue {
  readonly id: string
  readonly version: number
  readonly priority: string
}

async function listIssues({ neighbour }: Stage, count: number): Promise<readonly SelectedIssue[]> {
  const issues: SelectedIssue[] = []
  let cursor = ''
  while (issues.length < count) {
    const { body } = await neighbour.request({
      path: `/v1/issues?sort=oldest&pageSize=${PAGE_SIZE}${cursor}`,
    })
    const { data, pagination } = JSON.parse(body)
    issues.push(...data)
    if (pagination.nextCursor === null) break
    cursor = `&cursor=${pagination.nextCursor}`
  }
  return issues
}

function chunked<T>(items: readonly T[], size: number): readonly (readonly T[])[] {
  return Array.from({ length: Math.ceil(items.length / size) }, (_, index) =>
    items.slice(index * size, (index + 1) * size),
  )
}

/** Repeats each step by itself until disposed of. */
function repeat(steps: readonly (() => Promise<unknown>)[]): AsyncDisposable {
  let isOver = false
  const loops = Promise.all(
    steps.map(async (step) => {
      while (!isOver) await step()
    }),
  )
  // A failure is reported when this is disposed of.
  loops.catch(() => undefined)
  return {
    async [Symbol.asyncDispose]() {
      isOver = true
      await loops
    },
  }
}

function expectStatus(status: number, expected: number): void {
  if (status !== expected && !OVERLOADED.includes(status))
    throw new Error(`a request of the neighbour got the status ${status}`)
}
