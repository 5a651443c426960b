/** Repeatable random numbers: the same seed gives the same choices. */
export interface Random {
  /** From 0 up to, but not including, 1. */
  fraction(): number
  integer(from: number, to: number): number
  chance(probability: number): boolean
  pick<T>(choices: readonly T[]): T
  /** Picks a name; one with twice the weight is picked twice as often. */
  pickWeighted<K extends string>(weights: Readonly<Record<K, number>>): K
}

/** Mulberry32: short, fast and good enough here. */
export function createRandom(seed: number): Random {
  let state = seed

  function fraction(): number {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }

  function pick<T>(choices: readonly T[]): T {
    const choice = choices[Math.floor(fraction() * choices.length)]
    if (choice === undefined) throw new RangeError('there is nothing to pick from')
    return choice
  }

  return {
    fraction,
    pick,
    integer: (from, to) => from + Math.floor(fraction() * (to - from + 1)),
    chance: (probability) => fraction() < probability,
    pickWeighted<K extends string>(weights: Readonly<Record<K, number>>): K {
      const names = Object.keys(weights) as K[]
      const total = names.reduce((sum, name) => sum + weights[name], 0)
      let rest = fraction() * total
      for (const name of names) {
        rest -= weights[name]
        if (rest < 0) return name
      }
      return pick(names)
    },
  }
}
