import { describe, test } from 'vitest'
import { describeEngine } from './support/sdk/engine-suite.ts'
import { FIREFOX, startChromium, startFirefox } from './support/sdk/engines.ts'

describeEngine('Chromium', startChromium, 'all')

/** `sdk-engines.thorough.ts` has all of it. */
if (FIREFOX) describeEngine('Firefox', startFirefox, 'short')
else
  describe('in Firefox, what is built', () => test.skip('there is no Firefox here, see BUGLE_TEST_FIREFOX'))
