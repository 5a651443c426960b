import { type Static, Type } from 'typebox'
import { answerObject, nullable, optional } from '../schemas/members.ts'
import { REVISION, revision } from './revisions.ts'

const MAX_FEATURES = 50

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

/** The SDK configuration of a project, as an admin changes it. */
export const SdkSettingsShown = answerObject(
  {
    enabled,
    minSdkVersion: nullable<string>('string', { description: 'Older SDKs do not send reports.' }),
    features: Type.Array(
      answerObject(
        { ...feature, isLimited: Type.Boolean({ description: 'Whether not everyone gets it.' }) },
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
      Type.Array(Type.Object(feature, { additionalProperties: false }), {
        maxItems: MAX_FEATURES,
        description: 'All feature flags. Those that stay keep their limits.',
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
