import { systemClock } from '../../clock.ts'
import { checkSdkSettings, withDefaults } from '../../domain/projects/sdk-config.ts'
import { measureImpact, type SdkImpact } from '../../domain/projects/sdk-impact.ts'
import type { SdkSettings } from '../../model/projects.ts'
import { type Command, CommandError, type Input, UsageError } from '../command.ts'
import { findProjectOrFail } from '../projects/projects.ts'
import { limit } from './limit.ts'
import { describe, PREVIEW_OPTION, reachOf, readWord, save } from './settings.ts'

const show: Command = {
  name: 'sdk-config show',
  summary: 'Show the SDK configuration of a project',
  positionals: ['SLUG'],
  options: {},
  run: ({ positionals: [slug = ''] }, { withStorage, terminal }) =>
    withStorage(async (storage) => {
      const project = await findProjectOrFail(storage, slug)
      const settings = withDefaults(await storage.projects.findSdkSettings(project.id))
      return describe({ project, settings, reach: await reachOf(storage, project, settings) }, terminal)
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
    preview: PREVIEW_OPTION,
  },
  async run(input, { withStorage, terminal }) {
    // Read once to find faults before the database is opened.
    readSettings(input, withDefaults(undefined))
    return withStorage(async (storage) => {
      const [slug = ''] = input.positionals
      const project = await findProjectOrFail(storage, slug)
      const before = withDefaults(await storage.projects.findSdkSettings(project.id))
      checkRemovals(input, before)
      const settings = readSettings(input, before)
      const change = { before, after: settings, now: systemClock() }
      const impact = await measureImpact({ storage, projectId: project.id, ...change })
      const reach = await reachOf(storage, project, settings)
      await save({ storage, project, settings, input })
      const { json, text } = describe({ project, settings, reach }, terminal)
      return {
        json: { ...Object(json), impact },
        text: [text, ...(impact === null ? [] : [inWords(impact)])].join('\n\n'),
      }
    })
  },
}

export const sdkConfigCommands: readonly Command[] = [show, set, limit]

/** The new settings. Fails with all faults in the options. */
function readSettings(input: Input, before: SdkSettings): SdkSettings {
  const written = {
    enabled: readWord(input.text('enabled')) ?? before.enabled,
    minSdkVersion: input.isSet('no-min-sdk-version')
      ? null
      : (input.text('min-sdk-version') ?? before.minSdkVersion),
    features: readFeatures(input, before.features),
    featureLimits: without(before.featureLimits, input.texts('remove-feature')),
    crash: {
      enabled: readWord(input.text('crash-enabled')) ?? before.crash.enabled,
      sampleRate: readWord(input.text('crash-sample-rate')) ?? before.crash.sampleRate,
    },
    refreshAfterSeconds: readWord(input.text('refresh-after-seconds')) ?? before.refreshAfterSeconds,
  }
  const checked = checkSdkSettings(written)
  const problems = [...problemsOf(input), ...(checked.faults ?? [])]
  if (checked.faults !== undefined || problems.length > 0) throw new UsageError(problems.join('; '))
  return checked.settings
}

/** Faults that do not depend on the values. */
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
      return [name, readWord(value.join('='))]
    })
  const removed = input.texts('remove-feature')
  return { ...without(before, removed), ...Object.fromEntries(given) }
}

function without<T>(entries: Readonly<Record<string, T>>, names: readonly string[]): Record<string, T> {
  return Object.fromEntries(Object.entries(entries).filter(([name]) => !names.includes(name)))
}

function checkRemovals(input: Input, { features }: SdkSettings): void {
  const unknown = input.texts('remove-feature').find((name) => !Object.hasOwn(features, name))
  if (unknown !== undefined) throw new CommandError(`there is no feature "${unknown}" to remove`)
}

function inWords({ days, cutOff, reports }: SdkImpact): string {
  return `${cutOff} of ${reports} reports in the last ${days} days came from older SDKs, which no longer send.`
}
