import type { SdkSettingsPatch, SdkSettingsShown } from '@bugle/contract/settings'
import type { SdkSettings } from '../../model/projects.ts'
import { revisionOf } from '../../model/revisions.ts'
import type { UserCaller } from '../access/access.ts'
import { badMember, notFound } from '../domain-error.ts'
import { checkSdkSettings, withDefaults } from '../projects/sdk-config.ts'
import { measureImpact, type SdkImpact } from '../projects/sdk-impact.ts'
import { requireOwnProject, revisionConflict } from './admins.ts'
import type { AdministrationDependencies } from './projects.ts'

/** The SDK configuration of projects in the settings. Limits of features are changed with the `bugle` command. */
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

  return {
    async get(admin, idOrSlug) {
      const { settings, revision } = await find(admin, idOrSlug)
      return show(settings, revision, null)
    },

    async update(admin, idOrSlug, { revision, isPreview = false, ...patch }) {
      const { projectId, settings: before, revision: current } = await find(admin, idOrSlug)
      if (revision !== current) throw revisionConflict()
      const after = changed(before, patch)
      const impact = await measureImpact({ storage, projectId, before, after, now: clock() })
      if (isPreview) return show(after, current, impact)
      const { projects } = storage.actingAs(admin.user.id, clock)
      const outcome = await projects.saveSdkSettings(projectId, after, revision)
      if (outcome === 'missing') throw notFound()
      if (outcome === 'stale') throw revisionConflict()
      await refresh()
      return show(after, revisionOf(after), impact)
    },
  }
}

type Change = Omit<SdkSettingsPatch, 'revision' | 'isPreview'>

function changed(before: SdkSettings, patch: Change): SdkSettings {
  const { features: written, ...others } = patch
  const features = written && Object.fromEntries(written.map(({ name, value }) => [name, value]))
  const after = { ...before, ...others, ...(features && { features }) }
  const limits = Object.entries(before.featureLimits).filter(([name]) => Object.hasOwn(after.features, name))
  const checked = checkSdkSettings({ ...after, featureLimits: Object.fromEntries(limits) })
  if (checked.faults === undefined) return checked.settings
  const member = Object.keys(patch).find((name) => checked.faults[0]?.startsWith(name)) ?? 'features'
  throw badMember(member, 'invalid', `${checked.faults.join('; ')}.`)
}

function show(settings: SdkSettings, revision: string, impact: SdkImpact | null): SdkSettingsShown {
  const { enabled, minSdkVersion, features, featureLimits, crash, refreshAfterSeconds } = settings
  return {
    ...{ enabled, minSdkVersion, crash: { ...crash }, refreshAfterSeconds, revision },
    features: Object.entries(features).map(([name, value]) => ({
      ...{ name, value, isLimited: Object.hasOwn(featureLimits, name) },
    })),
    impact: impact && { ...impact },
  }
}
