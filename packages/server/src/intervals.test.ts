import { expect, it } from 'vitest'
import { INTERVALS } from './intervals.ts'

// Other tests check that a change takes effect at the next refresh; the documents promise one second.
it('changes by another process take effect within a second', () => {
  expect(2 * INTERVALS.catalogRefresh).toBeLessThanOrEqual(1_000)
})
