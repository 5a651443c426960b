import { settingsEndpoints as endpoints } from '@bugle/contract/settings'
import type { Administration } from '../../../domain/administration/administration.ts'
import { requireAdmin } from '../../../domain/administration/admins.ts'
import { answer, type Bind } from '../../route.ts'

const NO_STORE = { 'cache-control': 'no-store', vary: 'Cookie' }

/** The settings of the dashboard. Callers that are not admins were refused before the body was read. */
export function bindSettings(
  bind: Bind,
  { projects, keys, people, sdkConfigs, auditLog, server }: Administration,
  publicUrl: string | null,
): void {
  // Without a public URL the link is relative: the page knows the address that it was loaded from.
  const baseUrl = publicUrl ?? ''

  bind(endpoints.createProject, async ({ caller, body }) =>
    answer(201, await projects.create(requireAdmin(caller), body), NO_STORE),
  )

  bind(endpoints.getProjectSettings, async ({ caller, params }) =>
    answer(200, await projects.get(requireAdmin(caller), params.idOrSlug), NO_STORE),
  )

  bind(endpoints.getPublicPreview, async ({ caller, params }) =>
    answer(200, await projects.previewPublic(requireAdmin(caller), params.idOrSlug), NO_STORE),
  )

  bind(endpoints.updateProject, async ({ caller, params, body }) =>
    answer(200, await projects.update(requireAdmin(caller), params.idOrSlug, body), NO_STORE),
  )

  bind(endpoints.deleteProject, async ({ caller, params }) => {
    await projects.delete(requireAdmin(caller), params.idOrSlug)
    return answer(204, undefined, NO_STORE)
  })

  bind(endpoints.getSdkSettings, async ({ caller, params }) =>
    answer(200, await sdkConfigs.get(requireAdmin(caller), params.idOrSlug), NO_STORE),
  )

  bind(endpoints.updateSdkSettings, async ({ caller, params, body }) =>
    answer(200, await sdkConfigs.update(requireAdmin(caller), params.idOrSlug, body), NO_STORE),
  )

  bind(endpoints.listInstanceKeys, async ({ caller }) =>
    answer(200, await keys.list(requireAdmin(caller), null), NO_STORE),
  )

  bind(endpoints.listKeys, async ({ caller, params }) =>
    answer(200, await keys.list(requireAdmin(caller), params.idOrSlug), NO_STORE),
  )

  bind(endpoints.createKey, async ({ caller, body }) =>
    answer(201, await keys.create(requireAdmin(caller), body), NO_STORE),
  )

  bind(endpoints.updateKey, async ({ caller, params, body }) =>
    answer(200, await keys.update(requireAdmin(caller), params.id, body), NO_STORE),
  )

  bind(endpoints.revokeKey, async ({ caller, params }) => {
    await keys.revoke(requireAdmin(caller), params.id)
    return answer(204, undefined, NO_STORE)
  })

  bind(endpoints.listPersonSettings, async ({ caller, query }) =>
    answer(200, await people.list(requireAdmin(caller), query), NO_STORE),
  )

  bind(endpoints.invitePerson, async ({ caller, body }) =>
    answer(201, await people.invite(requireAdmin(caller), body, baseUrl), NO_STORE),
  )

  bind(endpoints.updatePerson, async ({ caller, params, body }) =>
    answer(200, await people.update(requireAdmin(caller), params.id, body), NO_STORE),
  )

  bind(endpoints.createPersonLink, async ({ caller, params }) =>
    answer(201, await people.createLink(requireAdmin(caller), params.id, baseUrl), NO_STORE),
  )

  bind(endpoints.removePerson, async ({ caller, params }) => {
    await people.remove(requireAdmin(caller), params.id)
    return answer(204, undefined, NO_STORE)
  })

  bind(endpoints.listPersonTokens, async ({ caller, params }) =>
    answer(200, await people.listTokens(requireAdmin(caller), params.id), NO_STORE),
  )

  bind(endpoints.revokePersonToken, async ({ caller, params }) => {
    await people.revokeToken(requireAdmin(caller), params.id, params.tokenId)
    return answer(204, undefined, NO_STORE)
  })

  bind(endpoints.getServerStatus, async ({ caller }) =>
    answer(200, await server.read(requireAdmin(caller)), NO_STORE),
  )

  bind(endpoints.listAuditLog, async ({ caller, query }) =>
    answer(200, await auditLog.list(requireAdmin(caller), query), NO_STORE),
  )
}
