import type { SdkSettingsPatch, SdkSettingsShown } from '@bugle/contract/settings'
import type { FeatureLimit } from '@bugle/contract/vocabulary'
import type { ProjectId } from '../../model/ids.ts'
import type { SdkSettings } from '../../model/projects.ts'
import { revisionOf } from '../../model/revisions.ts'
import type { UserCaller } from '../access/access.ts'
import { badMember, notFound } from '../domain-error.ts'
import type { Reach } from '../projects/feature-limits.ts'
import { checkSdkSettings, withDefaults } from '../projects/sdk-config.ts'
import { IMPACT_DAYS, measureImpact, measureReaches, type SdkImpact } from '../projects/sdk-impact.ts'
import { requireOwnProject, revisionConflict } from './admins.ts'
import type { AdministrationDependencies } from './projects.ts'

/** The SDK configuration of projects in the settings. */
export interface SdkAdministration {
  get(admin: UserCaller, idOrSlug: string): Promise<SdkSettingsShown>
  update(admin: UserCaller, idOrSlug: string, patch: SdkSettingsPatch): Promise<SdkSettingsShown>
}

export function createSdkAdministration({
  storage,
  clock,
  refresh,
}: AdministrationDependencies): SdkAdministration {
  async function find(admin: UserCaller, idOrSlug: string) {
    const { id: projectId } = requireOwnProject(admin, await storage.projects.find(idOrSlug))
    const saved = (await storage.projects.findSdkSettings(projectId)) ?? {}
    return { projectId, settings: withDefaults(saved), revision: revisionOf(saved) }
  }

  async function show(projectId: ProjectId, settings: SdkSettings, stamp: Stamp): Promise<SdkSettingsShown> {
    const { enabled, minSdkVersion, features, featureLimits, crash, refreshAfterSeconds } = settings
    const reaches = await measureReaches({ storage, projectId, settings, now: clock() })
    return {
      ...{ enabled, minSdkVersion, crash: { ...crash }, refreshAfterSeconds, revision: stamp.revision },
      features: Object.entries(features).map(([name, value]) => ({
        ...{ name, value },
        limit: Object.hasOwn(featureLimits, name) ? showLimit(featureLimits[name]) : null,
        reach: Object.hasOwn(reaches, name) ? showReach(reaches[name]) : null,
      })),
      impact: stamp.impact && { ...stamp.impact },
    }
  }

  return {
    async get(admin, idOrSlug) {
      const { projectId, settings, revision } = await find(admin, idOrSlug)
      return show(projectId, settings, { revision, impact: null })
    },

    async update(admin, idOrSlug, { revision, isPreview = false, ...patch }) {
      const { projectId, settings: before, revision: current } = await find(admin, idOrSlug)
      if (revision !== current) throw revisionConflict()
      const after = changed(before, patch)
      const impact = await measureImpact({ storage, projectId, before, after, now: clock() })
      if (isPreview) return show(projectId, after, { revision: current, impact })
      const { projects } = storage.actingAs(admin.user.id, clock)
      const outcome = await projects.saveSdkSettings(projectId, after, revision)
      if (outcome === 'missing') throw notFound()
      if (outcome === 'stale') throw revisionConflict()
      await refresh()
      return show(projectId, after, { revision: revisionOf(after), impact })
    },
  }
}

interface Stamp {
  readonly revision: string
  readonly impact: SdkImpact | null
}

type Change = Omit<SdkSettingsPatch, 'revision' | 'isPreview'>

function changed(before: SdkSettings, { features: written, ...others }: Change): SdkSettings {
  const kept = Object.entries(before.featureLimits)
  const features = written && {
    features: Object.fromEntries(written.map(({ name, value }) => [name, value])),
    featureLimits: Object.fromEntries(
      written.flatMap(({ name, limit = kept.find(([other]) => other === name)?.[1] }) =>
        limit ? [[name, limit]] : [],
      ),
    ),
  }
  const checked = checkSdkSettings({ ...before, ...others, ...features })
  if (checked.faults === undefined) return checked.settings
  const member = Object.keys(others).find((name) => checked.faults[0]?.startsWith(name)) ?? 'features'
  throw badMember(member, 'invalid', `${checked.faults.join('; ')}.`)
}

function showLimit(limit: FeatureLimit | undefined) {
  return limit === undefined ? null : { ...limit, platforms: limit.platforms && [...limit.platforms] }
}

function showReach(reach: Reach | undefined) {
  return reach === undefined ? null : { days: IMPACT_DAYS, issues: reach.issues, reached: reach.reached }
}
