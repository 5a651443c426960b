import { once } from 'node:events'
import { expect, it } from 'vitest'
import { mintId } from '../../model/ids.ts'
import { createEventHub } from './event-hub.ts'

it('a wait whose time has passed ends, without a warning of Node', async () => {
  const warnings: Error[] = []
  const collect = (warning: Error) => void warnings.push(warning)
  process.on('warning', collect)
  const hub = createEventHub({ subscribe: () => () => {} } as unknown as Parameters<typeof createEventHub>[0])
  const listener = hub.listen(mintId('prj', 0, 1))
  await listener.wait(-3_000, new AbortController().signal)
  // Warnings are emitted in a later tick: this one comes after any of the wait.
  process.emitWarning('the last one', 'EndOfTest')
  await once(process, 'warning').catch(() => undefined)
  process.off('warning', collect)
  expect(warnings.map(({ name }) => name).filter((name) => name !== 'EndOfTest')).toEqual([])
})
