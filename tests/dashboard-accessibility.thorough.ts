import { describe } from 'vitest'
import { inspectWalk, NARROW, WIDE } from './support/dashboard/appearances.ts'
import { DOCS_WALKS } from './support/dashboard/docs-walks.ts'
import { INBOX_WALKS } from './support/dashboard/inbox-walks.ts'
import { PAGE_WALKS, SETTINGS_FOR_WALKS } from './support/dashboard/page-walks.ts'
import { SETTINGS_WALKS } from './support/dashboard/settings-walks.ts'
import { setStage, test } from './support/dashboard/stage.ts'

setStage(SETTINGS_FOR_WALKS)

describe.each([WIDE, NARROW])('at %i pixels, light and dark, axe reports nothing for', (width) => {
  test.for([...INBOX_WALKS, ...PAGE_WALKS, ...SETTINGS_WALKS, ...DOCS_WALKS])('$name', (walk, { scene }) =>
    inspectWalk(scene, walk, { width, rulesInDark: 'all' }),
  )
})
