import { systemClock } from '../../clock.ts'
import type { Reach } from '../../domain/projects/feature-limits.ts'
import { showSdkConfig } from '../../domain/projects/sdk-config.ts'
import { IMPACT_DAYS, measureReaches } from '../../domain/projects/sdk-impact.ts'
import type { ProjectRecord, SdkSettings } from '../../model/projects.ts'
import type { Storage } from '../../storage/storage.ts'
import { CommandError, type Input, type Result } from '../command.ts'
import { pairs, type Screen } from '../terminal/tables.ts'
import { reachText, recipientsText } from './feature-texts.ts'

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
export function reachOf(storage: Storage, { id }: ProjectRecord, settings: SdkSettings) {
  return measureReaches({ storage, projectId: id, settings, now: systemClock() })
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
          [`feature ${name}`, `${JSON.stringify(value)}${recipientsText(featureLimits[name])}`] as const,
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
