import { settingsEndpoints as endpoints } from '@bugle/contract/settings'
import type { People } from '../../../domain/people/people.ts'
import { answer, type Bind } from '../../route.ts'

const NO_STORE = { 'cache-control': 'no-store', vary: 'Cookie' }

/** What people do on their profile page, whatever their role. */
export function bindProfile(bind: Bind, { profile, accessTokens }: People): void {
  bind(endpoints.updateProfile, async ({ caller, body }) =>
    answer(200, await profile.update(caller, body), NO_STORE),
  )

  bind(endpoints.listAccessTokens, async ({ caller }) =>
    answer(200, await accessTokens.list(caller), NO_STORE),
  )

  bind(endpoints.createAccessToken, async ({ caller, body }) =>
    answer(201, await accessTokens.create(caller, body), NO_STORE),
  )

  bind(endpoints.revokeAccessToken, async ({ caller, params }) => {
    await accessTokens.revoke(caller, params.id)
    return answer(204, undefined, NO_STORE)
  })
}
