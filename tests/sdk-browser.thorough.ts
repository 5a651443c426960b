import { expectSteadyMemory, LONG_LIVES } from './support/sdk/long-life.ts'
import { setStage, test } from './support/sdk/stage.ts'

setStage()

test.for(LONG_LIVES)(
  'a page needs no more memory after 10,000 reports than before, with $storage',
  ({ head }, { scene }) => expectSteadyMemory(scene, { head, count: 10_000, most: 200_000 }),
)
