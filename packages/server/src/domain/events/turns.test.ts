import { setImmediate as nextTurn } from 'node:timers/promises'
import { describe, expect, it } from 'vitest'
import { createTurns } from './turns.ts'

/** Longer than the time that steps may take in one turn. */
const LONG_MS = 6

describe('turns of the event loop', () => {
  it('do not delay a single step', () => {
    const begun: number[] = []
    void createTurns().take(async () => begun.push(1))
    expect(begun).toEqual([1])
  })

  it('run one long step each, in order', async () => {
    let time = 0
    const turns = createTurns(undefined, () => time)
    const ends: { step: number; turn: number }[] = []
    let turn = 0
    const steps = [1, 2, 3, 4].map((step) =>
      turns.take(async () => {
        // The work may follow an await, as long as that is not I/O.
        await Promise.resolve()
        time += LONG_MS
        ends.push({ step, turn })
      }),
    )
    for (; ends.length < steps.length; turn++) await nextTurn()
    await Promise.all(steps)
    expect(ends.map(({ step }) => step)).toEqual([1, 2, 3, 4])
    expect(new Set(ends.map((end) => end.turn)).size).toBe(4)
  })

  it('are shared by short steps', async () => {
    let time = 0
    const turns = createTurns(undefined, () => time)
    const ends: number[] = []
    let turn = 0
    const steps = Array.from({ length: 100 }, () =>
      turns.take(async () => {
        time += LONG_MS / 10
        ends.push(turn)
      }),
    )
    for (; ends.length < 100; turn++) await nextTurn()
    await Promise.all(steps)
    expect(new Set(ends).size).toBe(12)
  })

  it('continue while steps wait for I/O, up to the limit of concurrent steps', async () => {
    const turns = createTurns(2)
    const { promise: answer, resolve: respond } = Promise.withResolvers<void>()
    const begun: number[] = []
    const steps = [1, 2, 3].map((step) =>
      turns.take(async () => {
        begun.push(step)
        await answer
      }),
    )
    for (let turn = 0; turn < 5; turn++) await nextTurn()
    expect(begun).toEqual([1, 2])
    respond()
    await Promise.all(steps)
    expect(begun).toEqual([1, 2, 3])
  })

  it('continue after a failed step', async () => {
    const turns = createTurns(1)
    const failing = turns.take(() => Promise.reject(new Error('no')))
    const next = turns.take(async () => 'done')
    await expect(failing).rejects.toThrow('no')
    expect(await next).toBe('done')
  })
})
