import { setImmediate as turn } from 'node:timers/promises'
import { describe, expect, it } from 'vitest'
import type { ProjectId } from '../../../model/ids.ts'
import { createBulkTurns } from './bulk-turns.ts'

/** Turns with a clock and changes that end when the test says so. */
function setTurns() {
  let now = 0
  const log: string[] = []
  const running: (() => void)[] = []
  const pauses: (() => void)[] = []
  const turns = createBulkTurns(
    () => now,
    (milliseconds) => {
      log.push(`pause ${milliseconds}`)
      return new Promise<void>((resolve) => pauses.push(resolve))
    },
  )
  return {
    log,
    take: (name: string, fault?: Error) =>
      turns.take(`prj_${name.charAt(0)}` as ProjectId, async () => {
        log.push(name)
        await new Promise<void>((resolve) => running.push(resolve))
        if (fault !== undefined) throw fault
        return name
      }),
    /** Ends the change that is running, after this time. */
    async end(afterMs: number) {
      now += afterMs
      running.shift()?.()
      await turn()
    },
    async endPause() {
      pauses.shift()?.()
      await turn()
    },
  }
}

describe('bulk changes', () => {
  it('take place one at a time, projects in turn, with a pause after each', async () => {
    const { log, take, end, endPause } = setTurns()
    const changes = ['a1', 'a2', 'a3', 'b1', 'c1', 'b2'].map((name) => take(name))
    for (const afterMs of [10, 20, 30, 40, 50, 60]) {
      await end(afterMs)
      await endPause()
    }
    expect(await Promise.all(changes)).toEqual(['a1', 'a2', 'a3', 'b1', 'c1', 'b2'])
    expect(log).toEqual([
      // The first one starts at once, when no others wait.
      ...['a1', 'pause 20'],
      ...['a2', 'pause 40', 'b1', 'pause 60', 'c1', 'pause 80'],
      ...['a3', 'pause 100', 'b2', 'pause 120'],
    ])
  })

  it('get their result before the pause', async () => {
    const { log, take, end } = setTurns()
    const change = take('a1')
    await end(10)
    expect(await change).toBe('a1')
    const next = take('a2')
    await turn()
    expect(log).toEqual(['a1', 'pause 20'])
    next.catch(() => undefined)
  })

  it('pause for a second at most', async () => {
    const { log, take, end } = setTurns()
    const change = take('a1')
    await end(30_000)
    await change
    expect(log).toEqual(['a1', 'pause 1000'])
  })

  it('go on after one that failed', async () => {
    const { log, take, end, endPause } = setTurns()
    const failing = take('a1', new Error('The disk is full.')).catch((error: Error) => error.message)
    const next = take('b1')
    await end(10)
    expect(await failing).toBe('The disk is full.')
    await endPause()
    await end(10)
    expect(await next).toBe('b1')
    expect(log).toEqual(['a1', 'pause 20', 'b1', 'pause 20'])
  })

  it('start at once when none was made for a while', async () => {
    const { log, take, end, endPause } = setTurns()
    const first = take('a1')
    await end(10)
    await endPause()
    const second = take('a2')
    expect(log).toEqual(['a1', 'pause 20', 'a2'])
    await end(10)
    expect(await Promise.all([first, second])).toEqual(['a1', 'a2'])
  })
})
