import { systemClock } from '../../clock.ts'
import { measureReach, type Reach } from '../../domain/projects/feature-limits.ts'
import { showSdkConfig } from '../../domain/projects/sdk-config.ts'
import { IMPACT_DAYS } from '../../domain/projects/sdk-impact.ts'
import type { ProjectRecord, SdkSettings } from '../../model/projects.ts'
import type { Storage } from '../../storage/storage.ts'
import { CommandError, type Input, type Result } from '../command.ts'
import { pairs, type Screen } from '../terminal/tables.ts'
import { limitText, reachText } from './feature-texts.ts'

const DAY_MS = 86_400_000

export const PREVIEW_OPTION = {
  type: 'boolean',
  meaning: 'show the result and its effect, without saving',
} as const

interface Change {
  readonly storage: Storage
  readonly project: ProjectRecord
  readonly settings: SdkSettings
  readonly input: Input
}

/** Saves the settings, unless only a preview is wanted. */
export async function save({ storage, project, settings, input }: Change): Promise<void> {
  if (input.isSet('preview')) return
  if ((await storage.projects.saveSdkSettings(project.id, settings)) === 'missing')
    throw new CommandError('the project has just been deleted')
}

/** Who gets the limited features, according to the apps of recent issues. */
export async function reachOf(
  { projects }: Storage,
  { id }: ProjectRecord,
  { features, featureLimits }: SdkSettings,
): Promise<Readonly<Record<string, Reach>>> {
  const limits = Object.entries(featureLimits).filter(([name]) => Object.hasOwn(features, name))
  if (limits.length === 0) return {}
  const issues = await projects.countAppIssues(id, systemClock() - IMPACT_DAYS * DAY_MS)
  return Object.fromEntries(limits.map(([name, limit]) => [name, measureReach(limit, issues)]))
}

interface Shown {
  readonly project: ProjectRecord
  readonly settings: SdkSettings
  readonly reach: Readonly<Record<string, Reach>>
}

/** The settings, and who they apply to. */
export function describe({ project, settings, reach }: Shown, screen: Screen): Result {
  const { enabled, minSdkVersion, features, featureLimits, crash, refreshAfterSeconds } = settings
  const table = pairs(
    [
      ['project', project.slug],
      ['enabled', String(enabled)],
      ['minSdkVersion', minSdkVersion ?? '-'],
      ...Object.entries(features).map(
        ([name, value]) =>
          [`feature ${name}`, `${JSON.stringify(value)}${limitText(featureLimits[name])}`] as const,
      ),
      ['crash enabled', String(crash.enabled)],
      ['crash sampleRate', String(crash.sampleRate)],
      ['refreshAfterSeconds', String(refreshAfterSeconds)],
    ],
    screen,
  )
  const sentences = Object.entries(reach).map(([name, reached]) => reachText(name, reached, IMPACT_DAYS))
  return { json: { ...showSdkConfig(project, settings), reach }, text: [table, ...sentences].join('\n\n') }
}

/** `true`, `false` and numbers as such, everything else as text, quoted or not. */
export function readWord(text: string | undefined): unknown {
  if (text === undefined) return undefined
  try {
    const value: unknown = JSON.parse(text)
    return typeof value === 'object' ? text : value
  } catch {
    // Anything that is not JSON is taken as text.
    return text
  }
}
