import {
  CATEGORIES,
  endpoints,
  MAX_BODY_BYTES,
  MAX_DESCRIPTION_CHARS,
  MAX_METADATA_MEMBERS,
  MAX_METADATA_STRING_CHARS,
  MAX_TITLE_CHARS,
  type SdkConfig,
} from '@bugle/contract'
import { compareVersions } from '../../model/decisions/compare-versions.ts'
import type { ProjectRecord, SdkReports, SdkSettings } from '../../model/projects.ts'
import { LATEST_SDK_VERSION } from '../../version.ts'
import { type Caller, requireSight } from '../access/access.ts'
import { DomainError, notFound } from '../domain-error.ts'
import type { Catalog } from './catalog.ts'
import { faultsOfLimit, isWithin, sum, unless, type WrittenLimit } from './feature-limits.ts'

/** The SDK configuration. It is advice: the server stores every report. */
export interface SdkConfigs {
  /** The configuration of the project that the key belongs to. */
  get(caller: Caller): Promise<SdkConfig>
}

export function createSdkConfigs(catalog: Catalog): SdkConfigs {
  // The catalog returns the same settings object until the project changes.
  const shown = new WeakMap<object, SdkConfig>()

  async function show(project: ProjectRecord): Promise<SdkConfig> {
    const settings = await catalog.findSdkSettings(project.id)
    const known = settings && shown.get(settings)
    if (known !== undefined) return known
    const config = showSdkConfig(project, withDefaults(settings))
    if (settings !== undefined) shown.set(settings, config)
    return config
  }

  return {
    async get(caller) {
      const projectId = caller.kind === 'key' ? caller.key.projectId : undefined
      if (projectId === null || caller.kind === 'token') {
        const given = projectId === null ? 'This key is for all projects' : 'This is a personal access token'
        throw new DomainError('insufficient-scope', {
          detail: `${given}, but the project comes from the key. Use a key of the project.`,
        })
      }
      const project = projectId && (await catalog.findProject(projectId))
      requireSight(caller, endpoints.getSdkConfig.access, project)
      if (project === undefined) throw notFound()
      return show(project)
    },
  }
}

/** The response for SDKs. */
export function showSdkConfig(project: ProjectRecord, settings: SdkSettings): SdkConfig {
  const { id, name, slug, defaultBranch } = project
  const { enabled, minSdkVersion, crash, refreshAfterSeconds } = settings
  return {
    project: { id, name, slug, defaultBranch },
    enabled,
    minSdkVersion,
    latestSdkVersion: LATEST_SDK_VERSION,
    ...showFeatures(settings),
    categories: [...CATEGORIES],
    limits: {
      bodyBytes: MAX_BODY_BYTES,
      titleChars: MAX_TITLE_CHARS,
      descriptionChars: MAX_DESCRIPTION_CHARS,
      metadataMembers: MAX_METADATA_MEMBERS,
      metadataStringChars: MAX_METADATA_STRING_CHARS,
    },
    crash,
    refreshAfterSeconds,
  }
}

/** SDKs that do not support limits see only the features without limits. */
function showFeatures({ features, featureLimits }: SdkSettings) {
  const entries = Object.entries(features)
  const isLimited = (name: string) => Object.hasOwn(featureLimits, name)
  const limited = entries.flatMap(([name, value]) => {
    const limit = isLimited(name) ? featureLimits[name] : undefined
    if (limit === undefined) return []
    const { minAppVersion, maxAppVersion, platforms, share } = limit
    return [[name, { value, minAppVersion, maxAppVersion, platforms: platforms && [...platforms], share }]]
  })
  return {
    features: Object.fromEntries(entries.filter(([name]) => !isLimited(name))),
    limitedFeatures: Object.fromEntries(limited) as SdkConfig['limitedFeatures'],
  }
}

const DEFAULTS: SdkSettings = {
  enabled: true,
  minSdkVersion: null,
  features: {},
  featureLimits: {},
  crash: { enabled: true, sampleRate: 1 },
  refreshAfterSeconds: 3_600,
}

/** The saved settings, completed with defaults. */
export function withDefaults(saved: Partial<SdkSettings> | undefined): SdkSettings {
  return { ...DEFAULTS, ...saved }
}

const VERSION = /^\d{1,9}(?:\.\d{1,9}){0,3}(?:[-+][0-9A-Za-z.+-]{1,30})?$/
const FEATURE_NAME = /^[A-Za-z][\w.-]{0,63}$/
const MAX_FEATURES = 50
const MAX_FEATURE_TEXT_CHARS = 1_024
const MIN_REFRESH_SECONDS = 60
const MAX_REFRESH_SECONDS = 7 * 86_400

/** Settings as entered, not validated yet. */
export interface WrittenSettings extends Readonly<Record<keyof SdkSettings, unknown>> {
  readonly features: Readonly<Record<string, unknown>>
  readonly featureLimits: Readonly<Record<string, WrittenLimit>>
  readonly crash: Readonly<Record<keyof SdkSettings['crash'], unknown>>
}

type Checked =
  | { readonly settings: SdkSettings; readonly faults?: undefined }
  | { readonly faults: readonly string[] }

/** Valid settings, or all their faults. */
export function checkSdkSettings(written: WrittenSettings): Checked {
  const { enabled, minSdkVersion, features, featureLimits, crash, refreshAfterSeconds } = written
  const faults = [
    ...unless(typeof enabled === 'boolean', 'enabled must be true or false'),
    ...unless(
      minSdkVersion === null || (typeof minSdkVersion === 'string' && VERSION.test(minSdkVersion)),
      'minSdkVersion must be a version such as 1.4.0',
    ),
    ...faultsOfFeatures(features),
    ...Object.entries(featureLimits).flatMap(([name, limit]) => faultsOfLimit(name, limit)),
    ...unless(typeof crash.enabled === 'boolean', 'crash.enabled must be true or false'),
    ...unless(isWithin(crash.sampleRate, 0, 1), 'crash.sampleRate must be a number from 0 to 1'),
    ...unless(
      Number.isInteger(refreshAfterSeconds) &&
        isWithin(refreshAfterSeconds, MIN_REFRESH_SECONDS, MAX_REFRESH_SECONDS),
      `refreshAfterSeconds must be a whole number from ${MIN_REFRESH_SECONDS} to ${MAX_REFRESH_SECONDS}`,
    ),
  ]
  return faults.length > 0 ? { faults } : { settings: written as SdkSettings }
}

function faultsOfFeatures(features: WrittenSettings['features']): readonly string[] {
  const entries = Object.entries(features)
  return [
    ...unless(entries.length <= MAX_FEATURES, `there may be at most ${MAX_FEATURES} features`),
    ...entries.flatMap(([name, value]) => [
      ...unless(
        FEATURE_NAME.test(name),
        `the feature "${name}" needs a name of letters, digits, ".", "_" and "-" that begins with a letter`,
      ),
      ...unless(
        isFeatureValue(value),
        `the feature "${name}" must be true, false, a number or a text of at most ${MAX_FEATURE_TEXT_CHARS} characters`,
      ),
    ]),
  ]
}

function isFeatureValue(value: unknown): boolean {
  if (typeof value === 'string') return value.length <= MAX_FEATURE_TEXT_CHARS
  return typeof value === 'boolean' || Number.isFinite(value)
}

/** How many of these reports came from SDKs older than the minimum. */
export function countCutOff(reports: readonly SdkReports[], minSdkVersion: string) {
  // "other" (versions that are not counted by name) and similar values are not known to be older.
  const cutOff = reports.filter(
    ({ version }) => /^v?\d/i.test(version) && compareVersions(version, minSdkVersion) < 0,
  )
  return { cutOff: sum(cutOff), reports: sum(reports) }
}
