import { describe, test } from 'vitest'
import { describeEngine } from './support/sdk/engine-suite.ts'
import { FIREFOX, startFirefox } from './support/sdk/engines.ts'

/** Chromium is in every test run, `sdk-engines.test.ts`. */
if (FIREFOX) describeEngine('Firefox', startFirefox, 'all')
else
  describe('in Firefox, what is built', () => test.skip('there is no Firefox here, see BUGLE_TEST_FIREFOX'))
