import { expectToScrollSmoothly } from './support/dashboard/scroll.ts'
import { setStage, test } from './support/dashboard/stage.ts'

setStage()

test('a list of a thousand issues scrolls smoothly from its beginning to its end', async ({ scene }) => {
  await expectToScrollSmoothly(scene, { issues: 1_000, runs: 3 })
}, 180_000)
