import { type Static, Type } from 'typebox'
import { requiredText } from '../schemas/members.ts'
import { EMAIL_PATTERN } from '../schemas/people/session.ts'
import { MAX_EMAIL_CHARS, MAX_USER_NAME_CHARS } from '../vocabulary/limits.ts'

/** What a person changes about themselves. Changing the email address needs a recent sign-in. */
export const ProfilePatch = Type.Object(
  {
    name: Type.Optional(requiredText(MAX_USER_NAME_CHARS, { description: 'The name shown in the history.' })),
    email: Type.Optional(
      Type.String({
        maxLength: MAX_EMAIL_CHARS,
        pattern: EMAIL_PATTERN,
        description: 'The email address to sign in with.',
      }),
    ),
  },
  { additionalProperties: false, title: 'ProfilePatch', examples: [{ name: 'Ada' }] },
)
export type ProfilePatch = Static<typeof ProfilePatch>
