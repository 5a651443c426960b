import { type Static, Type } from 'typebox'
import { answerObject, nullable, optional } from '../schemas/members.ts'
import { MAX_PLATFORM_CHARS } from '../vocabulary/limits.ts'
import { REVISION, revision } from './revisions.ts'

const MAX_FEATURES = 50
const MAX_LIMITED_PLATFORMS = 20

const enabled = Type.Boolean({ description: 'Whether SDKs send reports.' })
const sampleRate = Type.Number({ minimum: 0, maximum: 1, description: 'The share of crashes to send.' })
const refreshAfterSeconds = Type.Integer({ description: 'How often SDKs fetch the configuration.' })
const crash = { enabled: Type.Boolean({ description: 'Whether crashes are captured.' }), sampleRate }
const feature = {
  name: Type.String({ maxLength: 64, description: 'Its name.' }),
  value: Type.Unsafe<boolean | number | string>({
    type: ['boolean', 'number', 'string'],
    description: 'Its value.',
  }),
}

export interface FeatureLimit {
  minAppVersion: string | null
  maxAppVersion: string | null
  platforms: string[] | null
  share: number
}

const bound = (description: string) => ({ type: ['string', 'null'], maxLength: 64, description })
const limit = {
  properties: {
    minAppVersion: bound('The oldest app version that gets it.'),
    maxAppVersion: bound('The newest app version that gets it.'),
    platforms: {
      type: ['array', 'null'],
      items: { type: 'string', maxLength: MAX_PLATFORM_CHARS },
      maxItems: MAX_LIMITED_PLATFORMS,
      description: 'The platforms that get it.',
    },
    share: { type: 'number', description: 'The share of installations that get it, from 0 to 1.' },
  },
  required: ['minAppVersion', 'maxAppVersion', 'platforms', 'share'],
  additionalProperties: false,
}

/** The SDK configuration of a project, as an admin changes it. */
export const SdkSettingsShown = answerObject(
  {
    enabled,
    minSdkVersion: nullable<string>('string', { description: 'Older SDKs do not send reports.' }),
    features: Type.Array(
      answerObject(
        {
          ...feature,
          limit: nullable<FeatureLimit>('object', {
            ...limit,
            description: 'Who gets it; `null`: everyone.',
          }),
          reach: nullable<{ days: number; issues: number; reached: number }>('object', {
            properties: {
              days: { type: 'integer', description: 'The days that were counted.' },
              issues: { type: 'integer', description: 'The issues of these days.' },
              reached: { type: 'integer', description: 'Those from apps that get the feature.' },
            },
            required: ['days', 'issues', 'reached'],
            additionalProperties: false,
            description: 'Who the limit reaches, whatever their share; `null` without a limit.',
          }),
        },
        { title: 'SdkFeature' },
      ),
      { description: 'The feature flags.' },
    ),
    crash: answerObject(crash, { title: 'SdkCrashSettings' }),
    refreshAfterSeconds,
    revision,
    impact: nullable<{ days: number; reports: number; cutOff: number }>('object', {
      properties: {
        days: { type: 'integer', description: 'The days that were counted.' },
        reports: { type: 'integer', description: 'The reports of these days.' },
        cutOff: { type: 'integer', description: 'Those from SDKs that no longer send.' },
      },
      required: ['days', 'reports', 'cutOff'],
      additionalProperties: false,
      description: 'What a higher minimum of the SDK version excludes; `null` if it is not higher.',
    }),
  },
  { title: 'SdkSettingsShown' },
)
export type SdkSettingsShown = Static<typeof SdkSettingsShown>

const WrittenFeature = Type.Object(
  {
    ...feature,
    limit: optional<FeatureLimit>({
      ...limit,
      type: ['object', 'null'],
      description: 'Who gets it; `null`: everyone. Absent: as before.',
    }),
  },
  { additionalProperties: false },
)

export const SdkSettingsPatch = Type.Object(
  {
    revision,
    isPreview: Type.Optional(
      Type.Boolean({ description: 'Whether only the result is wanted: nothing is saved.' }),
    ),
    enabled: Type.Optional(enabled),
    minSdkVersion: optional<string>({
      type: ['string', 'null'],
      maxLength: 64,
      description: 'Older SDKs do not send reports; `null` for no minimum.',
    }),
    features: Type.Optional(
      Type.Array(WrittenFeature, {
        maxItems: MAX_FEATURES,
        description: 'All feature flags. Those that stay keep their limits, unless a new one is given.',
      }),
    ),
    crash: Type.Optional(Type.Object(crash, { additionalProperties: false })),
    refreshAfterSeconds: Type.Optional(refreshAfterSeconds),
  },
  {
    additionalProperties: false,
    title: 'SdkSettingsPatch',
    examples: [{ revision: REVISION, enabled: true }],
  },
)
export type SdkSettingsPatch = Static<typeof SdkSettingsPatch>
