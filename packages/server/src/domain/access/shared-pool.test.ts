import { describe, expect, it } from 'vitest'
import { createSharedPool, type Hold, type SharedPool } from './shared-pool.ts'

const BUSY = expect.objectContaining({ code: 'unavailable', retryAfterSeconds: 5 })

/** Takes an amount for a client of a project. */
function take(pool: SharedPool, projectId: string, client = 'one', amount = 1): Hold {
  const hold = pool.open(() => ({ projectId, client }))
  hold.take(amount)
  return hold
}

function hasGivenWay(hold: Hold): boolean {
  try {
    hold.take(0)
    return false
  } catch {
    return true
  }
}

function gaveWay(holds: readonly Hold[]): readonly number[] {
  return holds.flatMap((hold, index) => (hasGivenWay(hold) ? [index] : []))
}

function poolOf(size: number, now?: () => number): SharedPool {
  return createSharedPool({ size, what: 'uploads', ...(now && { now }) })
}

describe('a pool with room', () => {
  it('is shared, and gets back what was held', () => {
    const pool = poolOf(100)
    const hold = take(pool, 'a', 'one', 60)
    take(pool, 'b', 'one', 40)
    hold.giveBack(20)
    expect(pool.taken).toBe(80)
    hold[Symbol.dispose]()
    hold[Symbol.dispose]()
    expect(pool.taken).toBe(40)
    take(pool, 'a', 'one', 60)
    expect(pool.gaveWay).toBe(0)
  })

  it('may be used by one client alone', () => {
    const pool = poolOf(8)
    for (let count = 0; count < 8; count++) take(pool, 'a')
    expect(() => take(pool, 'a')).toThrow(BUSY)
    expect([pool.taken, pool.gaveWay]).toEqual([8, 0])
  })

  it('does not count the first part of a request, nor ask who holds it', () => {
    const pool = poolOf(100)
    const hold = pool.open(() => {
      throw new Error('not known yet')
    }, 10)
    hold.take(7)
    hold.take(3)
    expect(pool.taken).toBe(0)
    const other = pool.open(() => ({ projectId: 'a', client: 'one' }), 10)
    other.take(30)
    expect(pool.taken).toBe(20)
    other.giveBack(1_000)
    expect(pool.taken).toBe(0)
  })
})

describe('in a full pool', () => {
  it('the project that holds most gives way until both hold the same', () => {
    const pool = poolOf(6)
    const holds = Array.from({ length: 6 }, () => take(pool, 'a'))
    for (let count = 0; count < 3; count++) take(pool, 'b')
    expect(gaveWay(holds)).toHaveLength(3)
    expect(() => take(pool, 'b')).toThrow(BUSY)
    expect([pool.taken, pool.gaveWay]).toEqual([6, 3])
  })

  it('the largest of several projects gives way, whatever the number of its clients', () => {
    const pool = poolOf(6)
    const many = ['one', 'two', 'three', 'four'].map((client) => take(pool, 'a', client))
    const few = [take(pool, 'b'), take(pool, 'b')]
    take(pool, 'c')
    expect([gaveWay(many).length, gaveWay(few).length]).toEqual([1, 0])
  })

  it('the client that holds most gives way to another one of its project', () => {
    const pool = poolOf(4)
    const large = [take(pool, 'a', 'large'), take(pool, 'a', 'large'), take(pool, 'a', 'large')]
    const small = take(pool, 'a', 'small')
    take(pool, 'a', 'new')
    expect([gaveWay(large).length, hasGivenWay(small)]).toEqual([1, false])
    expect(() => take(pool, 'a', 'large')).toThrow(BUSY)
  })

  it('the only request of a client does not give way to one of its project, however large it is', () => {
    const pool = poolOf(100)
    const only = take(pool, 'a', 'only', 100)
    expect(() => take(pool, 'a', 'other', 1)).toThrow(BUSY)
    expect(hasGivenWay(only)).toBe(false)
    take(pool, 'b', 'other', 1)
    expect(hasGivenWay(only)).toBe(true)
  })

  it('as many give way as the room needs', () => {
    const pool = poolOf(100)
    const holds = Array.from({ length: 5 }, () => take(pool, 'a', 'one', 20))
    take(pool, 'b', 'one', 30)
    expect(gaveWay(holds)).toHaveLength(2)
    expect(pool.taken).toBe(90)
  })
})

describe('of one client', () => {
  it('the slowest gives way, and one that has just begun is not slow', async () => {
    let now = 0
    const pool = poolOf(3, () => now)
    const [fast, slow] = [take(pool, 'a'), take(pool, 'a')]
    await receive(fast, 1_000_000)
    await receive(slow, 10)
    now = 10_000
    const fresh = take(pool, 'a')
    take(pool, 'b')
    expect([fast, slow, fresh].map(hasGivenWay)).toEqual([false, true, false])

    /** The read stays open. */
    async function receive(hold: Hold, size: number) {
      await hold.receive(chunksOf(Buffer.alloc(size), Buffer.alloc(0))).next()
    }
  })

  it('a request that is still arriving gives way before one that waits, and one that is handled never does', async () => {
    const pool = poolOf(3)
    const [handled, waiting, arriving] = [take(pool, 'a'), take(pool, 'a'), take(pool, 'a')]
    for (const hold of [handled, waiting]) for await (const _ of hold.receive(chunksOf()));
    handled.keep()
    take(pool, 'b')
    expect([handled, waiting, arriving].map(hasGivenWay)).toEqual([false, false, true])
    // As "c" holds nothing, "a" with two still holds more.
    take(pool, 'c')
    expect([handled, waiting].map(hasGivenWay)).toEqual([false, true])
    expect(() => waiting.keep()).toThrow(BUSY)
    expect([handled, waiting].map(({ signal }) => signal.reason)).toEqual([undefined, BUSY])
  })
})

describe('bytes that arrive', () => {
  it('are passed on', async () => {
    const hold = take(poolOf(1), 'a')
    const read: string[] = []
    for await (const chunk of hold.receive(chunksOf('one', 'two'))) read.push(String(chunk))
    expect(read).toEqual(['one', 'two'])
  })

  it('fail at once when their request gives way, even if no more arrive', async () => {
    const pool = poolOf(2)
    const [one, other] = [take(pool, 'a'), take(pool, 'a')]
    const reads = [one, other].map((hold) => hold.receive(nothing()).next())
    const failed = expect(Promise.race(reads)).rejects.toEqual(BUSY)
    take(pool, 'b')
    await failed
    expect(pool.taken).toBe(2)
  })

  it('stop being read once no one consumes them', async () => {
    let isClosed = false
    const hold = take(poolOf(1), 'a')
    for await (const _ of hold.receive(watched())) break
    await expect.poll(() => isClosed).toBe(true)

    async function* watched() {
      try {
        yield Buffer.from('one')
        yield Buffer.from('two')
      } finally {
        isClosed = true
      }
    }
  })
})

async function* chunksOf(...chunks: readonly (Uint8Array | string)[]): AsyncGenerator<Uint8Array> {
  for (const chunk of chunks) yield Buffer.from(chunk)
}

function nothing(): AsyncIterable<Uint8Array> {
  return { [Symbol.asyncIterator]: () => ({ next: () => new Promise(() => undefined) }) }
}
