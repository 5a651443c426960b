import { expectToScrollSmoothly } from './support/dashboard/scroll.ts'
import { setStage, test } from './support/dashboard/stage.ts'

setStage()

test('a list of ten thousand issues scrolls smoothly from its beginning to its end', async ({ scene }) => {
  await expectToScrollSmoothly(scene, 10_000)
}, 900_000)
