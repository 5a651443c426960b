import { type Static, Type } from 'typebox'
import { CATEGORIES } from '../../vocabulary/issues.ts'
import * as limits from '../../vocabulary/limits.ts'
import { answerObject, choice, nullable } from '../members.ts'

export type FeatureValue = boolean | number | string

/** Feature flags: set by the operator, passed on unchanged. */
export type Features = Record<string, FeatureValue>

const FeatureValue = Type.Unsafe<FeatureValue>({
  type: ['boolean', 'number', 'string'],
  title: 'FeatureValue',
  description: 'The value of a feature flag.',
})

const LimitedFeature = answerObject(
  {
    value: FeatureValue,
    minAppVersion: nullable<string>('string', { description: 'The oldest app version that gets it.' }),
    maxAppVersion: nullable<string>('string', { description: 'The newest app version that gets it.' }),
    platforms: nullable<string[]>('array', {
      items: { type: 'string' },
      description: 'The platforms that get it.',
    }),
    share: Type.Number({
      minimum: 0,
      maximum: 1,
      description: 'The share of installations that get it; the choice is stable for each installation.',
    }),
  },
  {
    title: 'LimitedFeature',
    description: 'A feature and who gets it. All conditions that are not `null` must be met.',
  },
)

const SdkLimits = answerObject(
  {
    bodyBytes: Type.Integer({ description: 'Bytes in a body.' }),
    titleChars: Type.Integer({ description: 'Characters in a title.' }),
    descriptionChars: Type.Integer({ description: 'Characters in a description.' }),
    metadataMembers: Type.Integer({ description: 'Fields in the metadata.' }),
    metadataStringChars: Type.Integer({ description: 'Characters in a metadata string.' }),
  },
  { title: 'SdkLimits', description: 'The limits of a submission.' },
)

/** Advice to the SDK. The server stores every report regardless of it. */
export const SdkConfig = answerObject(
  {
    project: answerObject(
      {
        id: Type.String({ description: 'Its identifier.' }),
        name: Type.String({ description: 'Its display name.' }),
        slug: Type.String({ description: 'Its short name.' }),
        defaultBranch: Type.String({ description: 'Its default source branch.' }),
      },
      { title: 'SdkProject' },
    ),
    enabled: Type.Boolean({ description: 'Whether the SDK should send reports.' }),
    minSdkVersion: nullable<string>('string', { description: 'SDKs older than this should not send.' }),
    latestSdkVersion: Type.String({ description: 'The SDK that belongs to this release of the server.' }),
    features: Type.Unsafe<Features>({
      type: 'object',
      additionalProperties: FeatureValue,
      description: 'Feature flags for every installation.',
    }),
    limitedFeatures: Type.Unsafe<Record<string, Static<typeof LimitedFeature>>>({
      type: 'object',
      additionalProperties: LimitedFeature,
      description:
        'Feature flags for some apps only, which the SDK applies if its app meets the conditions. Earlier SDKs ignore them.',
    }),
    categories: Type.Array(choice(CATEGORIES, { description: 'A category.' }), {
      description: 'The categories that a reporter may choose from.',
    }),
    limits: SdkLimits,
    crash: answerObject(
      {
        enabled: Type.Boolean({ description: 'Whether crashes are captured.' }),
        sampleRate: Type.Number({
          minimum: 0,
          maximum: 1,
          description: 'The share of crashes to send.',
        }),
      },
      { title: 'SdkCrash' },
    ),
    refreshAfterSeconds: Type.Integer({
      description: 'After how many seconds to read the configuration again.',
    }),
  },
  {
    title: 'SdkConfig',
    examples: [
      {
        project: {
          id: 'prj_01m8z3v9q8e1r8000000000000',
          name: 'Weather for iOS',
          slug: 'weather-ios',
          defaultBranch: 'main',
        },
        enabled: true,
        minSdkVersion: null,
        latestSdkVersion: '0.1.0',
        features: { shakeToReport: true },
        limitedFeatures: {
          newHome: {
            value: true,
            minAppVersion: '2.4',
            maxAppVersion: null,
            platforms: ['ios', 'android'],
            share: 0.1,
          },
        },
        categories: [...CATEGORIES],
        limits: {
          bodyBytes: limits.MAX_BODY_BYTES,
          titleChars: limits.MAX_TITLE_CHARS,
          descriptionChars: limits.MAX_DESCRIPTION_CHARS,
          metadataMembers: limits.MAX_METADATA_MEMBERS,
          metadataStringChars: limits.MAX_METADATA_STRING_CHARS,
        },
        crash: { enabled: true, sampleRate: 1 },
        refreshAfterSeconds: 3_600,
      },
    ],
  },
)
export type SdkConfig = Static<typeof SdkConfig>
