import { expect, it } from 'vitest'
import { INTERVALS } from './intervals.ts'

// Other tests see that a change is honoured at the next refresh, whenever that is; the documents promise a second.
it('changes that another process makes are honoured within a second', () => {
  expect(2 * INTERVALS.catalogRefresh).toBeLessThanOrEqual(1_000)
})
