import { describe } from 'vitest'
import { NARROW, runPageCheck, WIDE } from './support/dashboard/appearances.ts'
import { DOCS_CHECKS } from './support/dashboard/docs-checks.ts'
import { INBOX_CHECKS } from './support/dashboard/inbox-checks.ts'
import { PAGE_CHECKS, SETTINGS_FOR_CHECKS } from './support/dashboard/page-checks.ts'
import { SETTINGS_CHECKS } from './support/dashboard/settings-checks.ts'
import { setStage, test } from './support/dashboard/stage.ts'

setStage(SETTINGS_FOR_CHECKS)

describe.each([WIDE, NARROW])('at %i pixels, light and dark, axe reports nothing for', (width) => {
  test.for([...INBOX_CHECKS, ...PAGE_CHECKS, ...SETTINGS_CHECKS, ...DOCS_CHECKS])(
    '$name',
    (check, { scene }) => runPageCheck(scene, check, { width, rulesInDark: 'all' }),
  )
})
