import { connect } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { Pool } from 'undici'
import type { Random } from '../../packages/server/src/demo/random.ts'
import { createRequests, type SoakRequest } from './requests.ts'

const CONNECTIONS = 24
const TICK_MS = 50
/** Shares of ticks: a client follows the live stream briefly, or disconnects in the middle of a request. */
const FOLLOWING = 0.1
const LEAVING = 0.1
const FOLLOWED_MS = 2_000
/** If more than this many are in progress, the machine is too slow for the rate, and no more are sent. */
const MAX_UNDER_WAY = 200

interface Target {
  readonly url: string
  readonly key: string
  /** Issues that there are already. */
  readonly issues: readonly string[]
  readonly random: Random
  readonly perSecond: number
}

/** Sends mixed requests at a steady rate until the signal; resolves to the number of responses. */
export async function applyLoad(
  { url, key, issues, random, perSecond }: Target,
  signal: AbortSignal,
): Promise<number> {
  await using pool = disposable(new Pool(url, { connections: CONNECTIONS }))
  const requests = createRequests(random, issues)
  const underWay = new Set<Promise<void>>()
  let answered = 0

  async function send(request: SoakRequest): Promise<void> {
    const { statusCode, body } = await pool.request({
      method: request.method,
      path: request.path,
      headers: {
        authorization: `Bearer ${request.key ?? key}`,
        ...(request.body && { 'content-type': 'application/json' }),
      },
      body: request.body === undefined ? null : JSON.stringify(request.body),
    })
    const text = await body.text()
    if (!request.statuses.includes(statusCode))
      throw new Error(`${request.method} ${request.path} was answered with ${statusCode}: ${text}`)
    answered++
    if (statusCode === 201) requests.remember((JSON.parse(text) as { id: string }).id)
  }

  async function follow(): Promise<void> {
    const { statusCode, body } = await pool.request({
      method: 'GET',
      path: '/v1/events?projectId=demo',
      headers: { authorization: `Bearer ${key}`, accept: 'text/event-stream' },
    })
    if (statusCode !== 200) throw new Error(`the live stream was answered with ${statusCode}`)
    body.on('error', () => {}).resume()
    await sleep(FOLLOWED_MS)
    body.destroy()
  }

  function start(work: Promise<void>): void {
    const done = work.finally(() => underWay.delete(done))
    underWay.add(done)
    done.catch(() => {})
  }

  for (let due = 0; !signal.aborted; due = Math.min(due, MAX_UNDER_WAY)) {
    for (due += (perSecond * TICK_MS) / 1_000; due >= 1 && underWay.size < MAX_UNDER_WAY; due--) {
      start(send(requests.next()))
    }
    if (random.chance(FOLLOWING)) start(follow())
    if (random.chance(LEAVING)) leaveHalfWay(url)
    // Fails as soon as one of them does.
    await Promise.race([sleep(TICK_MS), Promise.all(underWay).then(() => sleep(TICK_MS))])
  }
  await Promise.all(underWay)
  return answered
}

function leaveHalfWay(url: string): void {
  const { hostname, port } = new URL(url)
  const socket = connect(Number(port), hostname, () => {
    socket.write('POST /v1/issues HTTP/1.1\r\nHost: localhost\r\nContent-Length: 100\r\n\r\n{"title": ')
    socket.destroy()
  })
  socket.on('error', () => {})
}

function disposable(pool: Pool): Pool & AsyncDisposable {
  return Object.assign(pool, { [Symbol.asyncDispose]: () => pool.destroy() })
}
