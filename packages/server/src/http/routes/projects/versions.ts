import { endpoints } from '@bugle/contract'
import type { VersionStatistics } from '../../../domain/projects/version-stats.ts'
import type { Versions } from '../../../domain/projects/versions.ts'
import { answer, type Bind } from '../../route.ts'

const PRIVATE = { vary: 'Authorization, Cookie', 'cache-control': 'private, no-cache' }

export function bindVersions(bind: Bind, versions: Versions, versionStats: VersionStatistics): void {
  bind(endpoints.listVersions, async ({ caller, params, query }) =>
    answer(200, await versions.listVersions(caller, params.idOrSlug, query), PRIVATE),
  )

  bind(endpoints.listBranches, async ({ caller, params, query }) =>
    answer(200, await versions.listBranches(caller, params.idOrSlug, query), PRIVATE),
  )

  bind(endpoints.getVersionStats, async ({ caller, params, query }) =>
    answer(200, await versionStats.read(caller, params.idOrSlug, query), PRIVATE),
  )
}
