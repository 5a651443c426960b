import { endpoints } from '@bugle/contract'
import type { SdkConfigs } from '../../domain/projects/sdk-config.ts'
import { answerTagged, tagOfContent } from '../answers/conditional.ts'
import type { Bind } from '../route.ts'

/** For this long a browser need not ask again, unless the operator wants to be asked sooner. */
const MAX_AGE_SECONDS = 300

export function bindSdkConfig(bind: Bind, sdkConfigs: SdkConfigs): void {
  bind(endpoints.getSdkConfig, async ({ caller, request }) => {
    const config = await sdkConfigs.get(caller)
    const maxAge = Math.min(MAX_AGE_SECONDS, config.refreshAfterSeconds)
    // Private: it depends on the key, which a shared cache must not mix up.
    const headers = { vary: 'Authorization', 'cache-control': `private, max-age=${maxAge}` }
    return answerTagged({ request, tag: tagOfContent(config), body: config, headers })
  })
}
