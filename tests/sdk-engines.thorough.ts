import { describe, test } from 'vitest'
import { describeEngine } from './support/sdk/engine-suite.ts'
import { FIREFOX, startChromium, startFirefox } from './support/sdk/engines.ts'

describeEngine('Chromium', startChromium)
if (FIREFOX) describeEngine('Firefox', startFirefox)
else
  describe('in Firefox, what is built', () => test.skip('Firefox is not installed, see BUGLE_TEST_FIREFOX'))
