import { randomInt } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { request } from 'undici'
import { isCut } from '../load.ts'
import { callNode } from './call-node.ts'
import type { Cluster, KeyedProject } from './cluster.ts'

/** A client that follows a project's log on alternating nodes. */
export interface Follower {
  /** The positions that were seen, in the order of arrival. */
  readonly seen: readonly number[]
  /** Continues until the log's last event was seen. */
  finish(lastPosition: number): Promise<void>
}

/** Polls for events after the last one. */
export function followFeed(cluster: Cluster, { key }: KeyedProject): Follower {
  return follow(cluster, async (url, seen) => {
    const answer = await callNode(url, { path: `/v1/events?after=${seen.at(-1) ?? 0}&limit=50`, key })
    if (answer?.status !== 200) return
    if (answer.body.reset) throw new Error('the feed was reset')
    for (const { position } of answer.body.data) seen.push(position)
  })
}

/** Stays connected to the live stream for some seconds, or until it is interrupted, and resumes it on another node. */
export function followStream(cluster: Cluster, { key }: KeyedProject): Follower {
  return follow(cluster, async (url, seen, stopped) => {
    const signal = AbortSignal.any([stopped, AbortSignal.timeout(randomInt(1_000, 4_000))])
    const headers = {
      authorization: `Bearer ${key}`,
      accept: 'text/event-stream',
      'last-event-id': `${seen.at(-1) ?? 0}.all`,
    }
    try {
      const { statusCode, body } = await request(`${url}/v1/events`, { headers, signal, bodyTimeout: 0 })
      let text = ''
      for await (const chunk of body.setEncoding('utf8')) {
        text += chunk
        const blocks = text.split('\n\n')
        text = blocks.pop() ?? ''
        if (statusCode === 200) for (const block of blocks) seen.push(...positionOf(block))
      }
    } catch (error) {
      if (!signal.aborted && !isCut(error)) throw error
    }
  })
}

function positionOf(block: string): readonly number[] {
  if (block.includes('event: stream.reset')) throw new Error('the stream was reset')
  const [, id] = /^id: (\d+)\.all$/m.exec(block) ?? []
  return id === undefined ? [] : [Number(id)]
}

type Look = (url: string, seen: number[], signal: AbortSignal) => Promise<void>

function follow(cluster: Cluster, look: Look): Follower {
  const seen: number[] = []
  const stopped = new AbortController()
  const following = (async () => {
    while (!stopped.signal.aborted) {
      const node = cluster.nodes[randomInt(cluster.nodes.length)]
      if (node !== undefined) await look(node.url, seen, stopped.signal)
      await sleep(randomInt(5, 50))
    }
  })()
  return {
    seen,
    async finish(lastPosition) {
      while ((seen.at(-1) ?? 0) < lastPosition) await Promise.race([sleep(50), following])
      stopped.abort()
      await following
    },
  }
}
