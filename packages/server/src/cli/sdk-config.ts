import { systemClock } from '../clock.ts'
import { checkSdkSettings, countCutOff, showSdkConfig, withDefaults } from '../domain/projects/sdk-config.ts'
import { compareVersions } from '../model/decisions/compare-versions.ts'
import type { ProjectRecord, SdkSettings } from '../model/projects.ts'
import type { Storage } from '../storage/storage.ts'
import { type Command, CommandError, type Input, UsageError } from './command.ts'
import { findProjectOrFail } from './projects.ts'
import { pairs, type Screen } from './terminal/tables.ts'

const IMPACT_DAYS = 30
const DAY_MS = 86_400_000

const show: Command = {
  name: 'sdk-config show',
  summary: 'Show the SDK configuration of a project',
  positionals: ['SLUG'],
  options: {},
  run: ({ positionals: [slug = ''] }, { withStorage, terminal }) =>
    withStorage(async (storage) => {
      const project = await findProjectOrFail(storage, slug)
      const settings = withDefaults(await storage.projects.findSdkSettings(project.id))
      return { json: showSdkConfig(project, settings), text: describe(project, settings, terminal) }
    }),
}

const set: Command = {
  name: 'sdk-config set',
  summary: 'Change the SDK configuration of a project; a running server applies it within a second',
  positionals: ['SLUG'],
  options: {
    enabled: { type: 'string', value: 'true|false', meaning: 'whether SDKs send reports' },
    'min-sdk-version': { type: 'string', value: 'VERSION', meaning: 'older SDKs do not send reports' },
    'no-min-sdk-version': { type: 'boolean', meaning: 'remove the minimum' },
    feature: {
      type: 'string',
      value: 'NAME=VALUE',
      multiple: true,
      meaning: 'set a feature flag: true, false, a number or text',
    },
    'remove-feature': { type: 'string', value: 'NAME', multiple: true, meaning: 'remove a feature flag' },
    'crash-enabled': { type: 'string', value: 'true|false', meaning: 'whether crashes are captured' },
    'crash-sample-rate': { type: 'string', value: 'SHARE', meaning: 'fraction of crashes to send, 0 to 1' },
    'refresh-after-seconds': {
      type: 'string',
      value: 'SECONDS',
      meaning: 'how often SDKs fetch this configuration',
    },
  },
  async run(input, { withStorage, terminal }) {
    // Once for what is wrong with it, before anything is touched.
    readSettings(input, withDefaults(undefined))
    return withStorage(async (storage) => {
      const [slug = ''] = input.positionals
      const project = await findProjectOrFail(storage, slug)
      const before = withDefaults(await storage.projects.findSdkSettings(project.id))
      checkRemovals(input, before)
      const settings = readSettings(input, before)
      const impact = await impactOf({ storage, project, before, settings })
      if ((await storage.projects.saveSdkSettings(project.id, settings)) === 'missing')
        throw new CommandError('the project has just been deleted')
      const text = [
        describe(project, settings, terminal),
        ...(impact === null ? [] : [inWords(impact)]),
      ].join('\n\n')
      return { json: { ...showSdkConfig(project, settings), impact }, text }
    })
  },
}

export const sdkConfigCommands: readonly Command[] = [show, set]

/** The settings as they are to be. Fails with everything that is wrong with what was written. */
function readSettings(input: Input, before: SdkSettings): SdkSettings {
  const written = {
    enabled: word(input.text('enabled')) ?? before.enabled,
    minSdkVersion: input.isSet('no-min-sdk-version')
      ? null
      : (input.text('min-sdk-version') ?? before.minSdkVersion),
    features: readFeatures(input, before.features),
    crash: {
      enabled: word(input.text('crash-enabled')) ?? before.crash.enabled,
      sampleRate: word(input.text('crash-sample-rate')) ?? before.crash.sampleRate,
    },
    refreshAfterSeconds: word(input.text('refresh-after-seconds')) ?? before.refreshAfterSeconds,
  }
  const checked = checkSdkSettings(written)
  const problems = [...problemsOf(input), ...(checked.faults ?? [])]
  if (checked.faults !== undefined || problems.length > 0) throw new UsageError(problems.join('; '))
  return checked.settings
}

/** What makes no sense, whatever the values are. */
function problemsOf(input: Input): readonly string[] {
  const isEmpty = Object.keys(set.options).every((name) => input.text(name) === undefined)
  const isContrary = input.isSet('no-min-sdk-version') && input.text('min-sdk-version') !== undefined
  return [
    ...(isEmpty ? ['nothing to change; see "bugle sdk-config set --help"'] : []),
    ...(isContrary ? ['--min-sdk-version and --no-min-sdk-version cannot be combined'] : []),
    ...input
      .texts('feature')
      .filter((text) => !text.includes('='))
      .map((text) => `--feature must be NAME=VALUE, not "${text}"`),
  ]
}

function readFeatures(input: Input, before: SdkSettings['features']): Readonly<Record<string, unknown>> {
  const given = input
    .texts('feature')
    .filter((text) => text.includes('='))
    .map((text): [name: string, value: unknown] => {
      const [name = '', ...value] = text.split('=')
      return [name, word(value.join('='))]
    })
  const removed = input.texts('remove-feature')
  const kept = Object.entries(before).filter(([name]) => !removed.includes(name))
  return Object.fromEntries([...kept, ...given])
}

/** `true`, `false` and numbers as what they are, "quoted" or not as text. */
function word(text: string | undefined): unknown {
  if (text === undefined) return undefined
  try {
    const value: unknown = JSON.parse(text)
    return typeof value === 'object' ? text : value
  } catch {
    // What is not JSON is a text as it stands.
    return text
  }
}

function checkRemovals(input: Input, { features }: SdkSettings): void {
  const unknown = input.texts('remove-feature').find((name) => !Object.hasOwn(features, name))
  if (unknown !== undefined) throw new CommandError(`there is no feature "${unknown}" to remove`)
}

interface Raise {
  readonly storage: Storage
  readonly project: ProjectRecord
  readonly before: SdkSettings
  readonly settings: SdkSettings
}

/** How many reports a higher minimum cuts off; `null` if it is not higher. */
async function impactOf({ storage, project, before, settings: { minSdkVersion } }: Raise) {
  if (minSdkVersion === null) return null
  if (before.minSdkVersion !== null && compareVersions(minSdkVersion, before.minSdkVersion) <= 0) return null
  const firstDay = new Date(systemClock() - (IMPACT_DAYS - 1) * DAY_MS).toISOString().slice(0, 10)
  const reports = await storage.projects.countSdkReports(project.id, firstDay)
  return { days: IMPACT_DAYS, ...countCutOff(reports, minSdkVersion) }
}

function inWords({ days, cutOff, reports }: NonNullable<Awaited<ReturnType<typeof impactOf>>>): string {
  return `${cutOff} of ${reports} reports in the last ${days} days came from older SDKs, which no longer send.`
}

function describe(project: ProjectRecord, settings: SdkSettings, screen: Screen): string {
  const { enabled, minSdkVersion, features, crash, refreshAfterSeconds } = settings
  return pairs(
    [
      ['project', project.slug],
      ['enabled', String(enabled)],
      ['minSdkVersion', minSdkVersion ?? '-'],
      ...Object.entries(features).map(([name, value]) => [`feature ${name}`, JSON.stringify(value)] as const),
      ['crash enabled', String(crash.enabled)],
      ['crash sampleRate', String(crash.sampleRate)],
      ['refreshAfterSeconds', String(refreshAfterSeconds)],
    ],
    screen,
  )
}
