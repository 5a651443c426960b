import { type Static, Type } from 'typebox'
import { answerObject, choice, nullable, optional, requiredText, timestamp } from '../schemas/members.ts'
import { ALL_SCOPES } from '../vocabulary/keys.ts'
import { MAX_ACCESS_TOKEN_DAYS, MAX_KEY_NAME_CHARS } from '../vocabulary/limits.ts'

const name = requiredText(MAX_KEY_NAME_CHARS, { description: 'What it is for.' })
const scopes = (description: string) =>
  Type.Array(choice(ALL_SCOPES, { description: 'A scope.' }), {
    minItems: 1,
    maxItems: ALL_SCOPES.length,
    description,
  })

/** A personal access token. The token itself is not stored. */
export const AccessToken = answerObject(
  {
    id: Type.String({ description: 'Unique identifier. Not a credential.' }),
    name,
    ending: Type.String({ description: 'The last characters of the token.' }),
    scopes: scopes('What it was created for. A request may do these things only if its owner may, too.'),
    createdAt: timestamp({ description: 'When it was created.' }),
    expiresAt: nullable<string>('string', { format: 'date-time', description: 'When it expires.' }),
    lastUsedAt: nullable<string>('string', { format: 'date-time', description: 'When it was last used.' }),
  },
  { title: 'AccessToken' },
)
export type AccessToken = Static<typeof AccessToken>

export const AccessTokenList = answerObject(
  { data: Type.Array(AccessToken, { description: 'The tokens, oldest first.' }) },
  { title: 'AccessTokenList' },
)
export type AccessTokenList = Static<typeof AccessTokenList>

/** The only response with the token itself. */
export const CreatedAccessToken = answerObject(
  { ...AccessToken.properties, token: Type.String({ description: 'The token itself.' }) },
  { title: 'CreatedAccessToken' },
)
export type CreatedAccessToken = Static<typeof CreatedAccessToken>

export const AccessTokenCreation = Type.Object(
  {
    name,
    scopes: scopes('What it may do: scopes that the person has.'),
    expiresInDays: optional<number>({
      type: ['integer', 'null'],
      minimum: 1,
      maximum: MAX_ACCESS_TOKEN_DAYS,
      description: 'When it expires; absent or `null`: never.',
    }),
  },
  {
    additionalProperties: false,
    title: 'AccessTokenCreation',
    examples: [{ name: 'Weekly report', scopes: ['issues:read'], expiresInDays: 90 }],
  },
)
export type AccessTokenCreation = Static<typeof AccessTokenCreation>
