import { type Static, Type } from 'typebox'
import { answerObject, choice, nullable, optional, optionalText, timestamp } from '../schemas/members.ts'
import { ALL_SCOPES, KEY_KINDS } from '../vocabulary/keys.ts'
import { MAX_KEY_NAME_CHARS, MAX_ORIGINS } from '../vocabulary/limits.ts'
import { REVISION, revision } from './revisions.ts'

const origins = Type.Array(
  Type.String({ maxLength: 255, description: 'An origin, as in `https://app.example.com`.' }),
  { maxItems: MAX_ORIGINS, description: 'The pages that may use a public key; empty for all.' },
)
const name = optionalText(MAX_KEY_NAME_CHARS, { description: 'A name.' })
const scopes = Type.Array(choice(ALL_SCOPES, { description: 'A scope.' }), {
  maxItems: ALL_SCOPES.length,
  description: 'What a secret key may do.',
})
const KEY = {
  id: Type.String({ description: 'Unique identifier.' }),
  projectId: nullable<string>('string', { description: 'Its project; `null`: all projects.' }),
  projectNumber: nullable<number>('integer', {
    description: "The number of its project in a DSN for Sentry's SDKs; `null`: all projects.",
  }),
  kind: choice(KEY_KINDS, { description: 'Public, for apps and pages, or secret, with scopes.' }),
  name: nullable<string>('string', { description: 'Its name.' }),
  ending: Type.String({ description: 'The last characters of the key.' }),
  scopes,
  origins,
  createdAt: timestamp({ description: 'When it was created.' }),
  lastUsedAt: nullable<string>('string', { format: 'date-time', description: 'When it was last used.' }),
  revokedAt: nullable<string>('string', { format: 'date-time', description: 'When it was revoked.' }),
  revision,
}

/** A key as an admin sees it. The token of a secret key is not stored. */
export const KeySettings = answerObject(
  { ...KEY, token: nullable<string>('string', { description: 'The token of a public key.' }) },
  { title: 'KeySettings' },
)
export type KeySettings = Static<typeof KeySettings>

export const KeySettingsList = answerObject(
  { data: Type.Array(KeySettings, { description: 'The keys, oldest first.' }) },
  { title: 'KeySettingsList' },
)

/** The only response with the token of a secret key. */
export const CreatedKey = answerObject(
  { ...KEY, token: Type.String({ description: 'The key itself.' }) },
  { title: 'CreatedKey' },
)
export type CreatedKey = Static<typeof CreatedKey>

export const KeyCreation = Type.Object(
  {
    projectId: optional<string>({
      type: ['string', 'null'],
      description: 'The id or slug of its project; absent: all projects.',
    }),
    kind: choice(KEY_KINDS, { description: 'Public or secret.' }),
    name,
    scopes: Type.Optional(scopes),
    origins: Type.Optional(origins),
  },
  { additionalProperties: false, title: 'KeyCreation', examples: [{ kind: 'public', name: 'Web app' }] },
)
export type KeyCreation = Static<typeof KeyCreation>

export const KeyPatch = Type.Object(
  { revision, name, origins: Type.Optional(origins) },
  { additionalProperties: false, title: 'KeyPatch', examples: [{ revision: REVISION, name: 'Web app' }] },
)
export type KeyPatch = Static<typeof KeyPatch>
