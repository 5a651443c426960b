import { settingsEndpoints as endpoints } from '@bugle/contract/settings'
import { requireAdmin } from '../../../domain/administration/admins.ts'
import type { LabelAdministration } from '../../../domain/administration/labels.ts'
import { answer, type Bind } from '../../route.ts'

const NO_STORE = { 'cache-control': 'no-store', vary: 'Cookie' }

export function bindLabelSettings(bind: Bind, labels: LabelAdministration): void {
  bind(endpoints.listLabelSettings, async ({ caller, params }) =>
    answer(200, await labels.list(requireAdmin(caller), params.idOrSlug), NO_STORE),
  )

  bind(endpoints.createLabel, async ({ caller, params, body }) =>
    answer(201, await labels.create(requireAdmin(caller), params.idOrSlug, body), NO_STORE),
  )

  bind(endpoints.updateLabel, async ({ caller, params, body }) =>
    answer(200, await labels.update(requireAdmin(caller), params, body), NO_STORE),
  )

  bind(endpoints.deleteLabel, async ({ caller, params }) => {
    await labels.delete(requireAdmin(caller), params)
    return answer(204, undefined, NO_STORE)
  })
}
