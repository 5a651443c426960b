import { faultsOfLimit, type WrittenLimit } from '../../domain/projects/feature-limits.ts'
import { checkSdkSettings, withDefaults } from '../../domain/projects/sdk-config.ts'
import type { SdkSettings } from '../../model/projects.ts'
import { type Command, CommandError, type Input, UsageError } from '../command.ts'
import { findProjectOrFail } from '../projects/projects.ts'
import { describe, PREVIEW_OPTION, reachOf, readWord, save } from './settings.ts'

/** Limits who gets a feature. */
export const limit: Command = {
  name: 'sdk-config limit',
  summary: 'Limit a feature to app versions, platforms or a share of installations, and show who is reached',
  positionals: ['SLUG', 'FEATURE'],
  options: {
    value: {
      type: 'string',
      value: 'VALUE',
      meaning: 'the value for those who get it; needed for a new feature',
    },
    'min-app-version': { type: 'string', value: 'VERSION', meaning: 'the oldest app version that gets it' },
    'max-app-version': { type: 'string', value: 'VERSION', meaning: 'the newest app version that gets it' },
    platform: {
      type: 'string',
      value: 'PLATFORM',
      multiple: true,
      meaning: 'a platform that gets it, such as ios; can be repeated',
    },
    share: { type: 'string', value: 'SHARE', meaning: 'fraction of installations that get it, 0 to 1' },
    everyone: { type: 'boolean', meaning: 'remove the limit' },
    preview: PREVIEW_OPTION,
  },
  note: 'The options replace the whole limit of the feature. An installation stays in its share; a larger share only adds installations.',
  async run(input, { withStorage, terminal }) {
    const [slug = '', feature = ''] = input.positionals
    const written = readLimit(input)
    return withStorage(async (storage) => {
      const project = await findProjectOrFail(storage, slug)
      const before = withDefaults(await storage.projects.findSdkSettings(project.id))
      const settings = withLimit(before, { feature, written, value: readWord(input.text('value')) })
      const reach = await reachOf(storage, project, settings)
      await save({ storage, project, settings, input })
      return describe({ project, settings, reach }, terminal)
    })
  },
}

/** The limit that the options describe; `null` without one. */
function readLimit(input: Input): WrittenLimit | null {
  const limits = ['min-app-version', 'max-app-version', 'platform', 'share']
  const isLimited = limits.some((name) => input.texts(name).length > 0 || input.text(name) !== undefined)
  if (input.isSet('everyone') && isLimited)
    throw new UsageError('--everyone cannot be combined with the options that limit a feature')
  if (!input.isSet('everyone') && !isLimited)
    throw new UsageError(
      'give --min-app-version, --max-app-version, --platform or --share, or --everyone to remove the limit',
    )
  if (!isLimited) return null
  const platforms = input.texts('platform')
  const written = {
    minAppVersion: input.text('min-app-version') ?? null,
    maxAppVersion: input.text('max-app-version') ?? null,
    platforms: platforms.length === 0 ? null : platforms,
    share: readWord(input.text('share')) ?? 1,
  }
  const faults = faultsOfLimit(input.positionals[1] ?? '', written)
  if (faults.length > 0) throw new UsageError(faults.join('; '))
  return written
}

interface Limiting {
  readonly feature: string
  readonly written: WrittenLimit | null
  readonly value: unknown
}

function withLimit(before: SdkSettings, { feature, written, value }: Limiting): SdkSettings {
  if (value === undefined && !Object.hasOwn(before.features, feature))
    throw new CommandError(`there is no feature "${feature}"; give its --value to create it`)
  const { [feature]: _, ...others } = before.featureLimits
  const checked = checkSdkSettings({
    ...before,
    features: { ...before.features, ...(value !== undefined && { [feature]: value }) },
    featureLimits: { ...others, ...(written !== null && { [feature]: written }) },
  })
  if (checked.faults !== undefined) throw new UsageError(checked.faults.join('; '))
  return checked.settings
}
