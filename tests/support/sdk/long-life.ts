import type { CDPSession, Page } from 'playwright-core'
import { expect } from 'vitest'
import type { Scene } from './stage.ts'

const NO_DATABASE = `<script>
  Object.defineProperty(window, 'indexedDB', { get() { throw new DOMException('denied', 'SecurityError') } })
</script>`
/** Thousands of requests would take minutes. */
const SERVER_IN_THE_PAGE = `<script>
  window.fetch = async () => new Response('{"id":"iss_1"}', { status: 201 })
</script>`

const ROUNDS = 4

/** Where a page stores its reports, and how many more bytes it may need after a thousand of them. */
export const LONG_LIVES = [
  { storage: 'local storage alone', head: NO_DATABASE, most: 90_000 },
  { storage: 'IndexedDB', head: '', most: 90_000 },
]

interface LongLife {
  readonly head: string
  readonly count: number
  readonly most: number
}

/** Sends this many reports, and measures the memory before and after. */
export async function expectSteadyMemory(scene: Scene, { head, count, most }: LongLife): Promise<void> {
  const page = await scene.open({ head: SERVER_IN_THE_PAGE + head })
  const session = await page.context().newCDPSession(page)
  await reportMany(page, 400)
  let growth = Number.POSITIVE_INFINITY
  // A leak for each report would be several times as much, in every round. What the browser itself keeps grows only in some.
  for (let round = 0; round < ROUNDS && growth >= most; round++) {
    const before = await measureHeap(session)
    await reportMany(page, count)
    growth = Math.min(growth, (await measureHeap(session)) - before)
  }
  expect(growth).toBeLessThan(most)
}

async function reportMany(page: Page, count: number): Promise<void> {
  const sent = await page.evaluate(async (wanted) => {
    let total = 0
    for (let done = 0; done < wanted; done += 40) {
      const titles = Array.from({ length: 40 }, (_, index) => `Report ${done + index}`)
      const results = await Promise.all(titles.map((title) => window.bugle.report({ title })))
      total += results.filter(({ status }) => status === 'sent').length
    }
    return total
  }, count)
  expect(sent).toBe(count)
}

/** Bytes in use after a full garbage collection. */
async function measureHeap(session: CDPSession): Promise<number> {
  await session.send('HeapProfiler.collectGarbage')
  await session.send('HeapProfiler.collectGarbage')
  const { usedSize } = await session.send('Runtime.getHeapUsage')
  return usedSize
}
