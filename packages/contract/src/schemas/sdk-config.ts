import { type Static, Type } from 'typebox'
import { CATEGORIES } from '../vocabulary/categories.ts'
import * as limits from '../vocabulary/limits.ts'
import { answerObject, choice, nullable } from './members.ts'

/** Feature flags: what the operator sets, passed on as it is. */
export type Features = Record<string, boolean | number | string>

const SdkLimits = answerObject(
  {
    bodyBytes: Type.Integer({ description: 'Bytes of a whole body.' }),
    titleChars: Type.Integer({ description: 'Characters of a title.' }),
    descriptionChars: Type.Integer({ description: 'Characters of a description.' }),
    metadataMembers: Type.Integer({ description: 'Members of the metadata.' }),
    metadataStringChars: Type.Integer({ description: 'Characters of a text in the metadata.' }),
  },
  { title: 'SdkLimits', description: 'What a submission may be at most.' },
)

/** Advice to the SDK. The server stores what arrives, whatever it says here. */
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
    enabled: Type.Boolean({ description: 'Whether the SDK should send at all.' }),
    minSdkVersion: nullable<string>('string', { description: 'SDKs older than this should not send.' }),
    latestSdkVersion: Type.String({ description: 'The SDK that belongs to this release of the server.' }),
    features: Type.Unsafe<Features>({
      type: 'object',
      additionalProperties: { type: ['boolean', 'number', 'string'], title: 'FeatureValue' },
      description: 'Feature flags of the project.',
    }),
    categories: Type.Array(choice(CATEGORIES, { description: 'A category.' }), {
      description: 'What a reporter may choose from.',
    }),
    limits: SdkLimits,
    crash: answerObject(
      {
        enabled: Type.Boolean({ description: 'Whether crashes are captured.' }),
        sampleRate: Type.Number({
          minimum: 0,
          maximum: 1,
          description: 'The share of crashes that is sent.',
        }),
      },
      { title: 'SdkCrash' },
    ),
    refreshAfterSeconds: Type.Integer({ description: 'When to ask again.' }),
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
