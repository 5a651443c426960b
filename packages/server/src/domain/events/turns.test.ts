import { setImmediate as nextTurn } from 'node:timers/promises'
import { describe, expect, it } from 'vitest'
import { createTurns } from './turns.ts'

/** Longer than steps may take of a turn. */
const LONG_MS = 6

describe('turns of the event loop', () => {
  it('are not waited for by what comes alone', () => {
    const begun: number[] = []
    void createTurns().take(async () => begun.push(1))
    expect(begun).toEqual([1])
  })

  it('go to one long step each, in the order they came', async () => {
    const turns = createTurns()
    const ends: { step: number; turn: number }[] = []
    let turn = 0
    const steps = [1, 2, 3, 4].map((step) =>
      turns.take(async () => {
        // The work may come after something that is awaited, as long as that is no I/O.
        await Promise.resolve()
        computeFor(LONG_MS)
        ends.push({ step, turn })
      }),
    )
    for (; ends.length < steps.length; turn++) await nextTurn()
    await Promise.all(steps)
    expect(ends.map(({ step }) => step)).toEqual([1, 2, 3, 4])
    expect(new Set(ends.map((end) => end.turn)).size).toBe(4)
  })

  it('are shared by short steps', async () => {
    const turns = createTurns()
    const ends: number[] = []
    let turn = 0
    const steps = Array.from({ length: 100 }, () => turns.take(async () => ends.push(turn)))
    for (; ends.length < 100; turn++) await nextTurn()
    await Promise.all(steps)
    expect(turn).toBeLessThan(50)
  })

  it('pass by what waits for I/O, up to as many steps as may be under way', async () => {
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

  it('go on after a step that fails', async () => {
    const turns = createTurns(1)
    const failing = turns.take(() => Promise.reject(new Error('no')))
    const next = turns.take(async () => 'done')
    await expect(failing).rejects.toThrow('no')
    expect(await next).toBe('done')
  })
})

function computeFor(milliseconds: number): void {
  const end = performance.now() + milliseconds
  while (performance.now() < end);
}
