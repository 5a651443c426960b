import { describe, expect, test } from 'vitest'
import type { Store } from '../src/core/platform.ts'

/** Opens the same place twice: what one has written, the next start finds. */
export type OpenTwice = () => { readonly first: Store; readonly second: Store }

/** What every durable store must do. */
export function describeStore(name: string, openTwice: OpenTwice): void {
  describe(name, () => {
    test('keeps stored texts for the next start, in the order of the ids', async () => {
      const { first, second } = openTwice()
      await first._put('b', 'two')
      await first._put('a', 'one')
      await first._put('b', 'two, better')
      expect([...(await second._readAll())]).toEqual([
        ['a', 'one'],
        ['b', 'two, better'],
      ])
    })

    test('has texts that were stored at the last moment', async () => {
      const { first, second } = openTwice()
      first._putNow('last', 'words')
      expect((await second._readAll()).get('last')).toBe('words')
    })

    test('deletes a removed text, even while it was being written', async () => {
      const { first, second } = openTwice()
      const put = first._put('gone', 'text')
      const removed = first._remove('gone')
      await Promise.all([put, removed])
      await first._remove('never there')
      expect([...(await second._readAll())]).toEqual([])
    })
  })
}
