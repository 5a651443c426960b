import { describe, test } from 'vitest'
import { FIREFOX, startCapturingChromium, startFirefox } from './support/sdk/engines.ts'
import { describeWidget } from './support/sdk/widget-engine-suite.ts'

describeWidget('Chromium', startCapturingChromium, { hasDisplay: true })
// Without a screen, Firefox finds nothing to capture, and its settings for fake cameras do not change that.
if (FIREFOX) describeWidget('Firefox', startFirefox, { hasDisplay: false })
else describe('in Firefox, the widget', () => test.skip('Firefox is not installed, see BUGLE_TEST_FIREFOX'))
