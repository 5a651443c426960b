import { endpoints } from '@bugle/contract'
import type { SdkConfigs } from '../../../domain/projects/sdk-config.ts'
import { answerTagged, tagOfContent } from '../../answers/conditional.ts'
import type { Bind } from '../../route.ts'

/** How long a browser may cache it, unless the operator sets a shorter time. */
const MAX_AGE_SECONDS = 300

export function bindSdkConfig(bind: Bind, sdkConfigs: SdkConfigs): void {
  bind(endpoints.getSdkConfig, async ({ caller, request }) => {
    const config = await sdkConfigs.get(caller)
    const maxAge = Math.min(MAX_AGE_SECONDS, config.refreshAfterSeconds)
    // Private, because it depends on the key.
    const headers = { vary: 'Authorization', 'cache-control': `private, max-age=${maxAge}` }
    return answerTagged({ request, tag: tagOfContent(config), body: config, headers })
  })
}
