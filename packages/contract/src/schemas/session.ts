import { type Static, Type } from 'typebox'
import {
  MAX_EMAIL_CHARS,
  MAX_PASSWORD_CHARS,
  MAX_USER_NAME_CHARS,
  MIN_PASSWORD_CHARS,
} from '../vocabulary/limits.ts'
import { LINK_PURPOSES } from '../vocabulary/sessions.ts'
import { answerObject, choice, nullable, optional, optionalText, timestamp } from './members.ts'
import { USER_EXAMPLE, User } from './users.ts'

/** Something before and after one `@`, without white space: whether it can be written to shows only by writing. */
export const EMAIL_PATTERN = '^[^@\\s\\u0000-\\u001f\\u007f]+@[^@\\s\\u0000-\\u001f\\u007f]+$'

const PASSWORD_EXAMPLE = 'a sentence only I know'
const TOKEN_EXAMPLE = 'q0K3mB9tVxYc2LrW7nHs5dFgJ8pZaE1uTiOkSvXwRbM'

/** What was typed as a password: compared, so anything that could have been one is let through. */
const givenPassword = (description: string) =>
  Type.String({ minLength: 1, maxLength: MAX_PASSWORD_CHARS, description })

const newPassword = (description: string) =>
  Type.String({ minLength: MIN_PASSWORD_CHARS, maxLength: MAX_PASSWORD_CHARS, description })

const linkToken = Type.String({
  minLength: 1,
  maxLength: 128,
  description: 'What follows `#link=` in the link.',
})

/** Who is signed in, and for how long. */
export const Session = answerObject(
  {
    user: User,
    createdAt: timestamp({ description: 'When they signed in.' }),
    expiresAt: timestamp({ description: 'When the sign-in ends if nothing more is done with it.' }),
  },
  {
    title: 'Session',
    examples: [
      {
        user: USER_EXAMPLE,
        createdAt: '2026-11-15T09:30:00.000Z',
        expiresAt: '2026-12-15T09:31:00.000Z',
      },
    ],
  },
)
export type Session = Static<typeof Session>

export const SignInRequest = Type.Object(
  {
    email: Type.String({ minLength: 1, maxLength: MAX_EMAIL_CHARS, description: 'The e-mail address.' }),
    password: givenPassword('The password.'),
  },
  {
    additionalProperties: false,
    title: 'SignInRequest',
    examples: [{ email: 'ada@example.com', password: PASSWORD_EXAMPLE }],
  },
)
export type SignInRequest = Static<typeof SignInRequest>

export const LinkRequest = Type.Object(
  { token: linkToken },
  { additionalProperties: false, title: 'LinkRequest', examples: [{ token: TOKEN_EXAMPLE }] },
)
export type LinkRequest = Static<typeof LinkRequest>

/** What a one-time link is for. */
export const Link = answerObject(
  {
    email: nullable<string>('string', {
      description: 'Whose link it is; `null` for the first person of all, who still has to say so.',
    }),
    name: nullable<string>('string', { description: 'What they are called; `null` likewise.' }),
    purpose: choice(LINK_PURPOSES, { description: 'A first password, or a new one.' }),
    expiresAt: timestamp({ description: 'Until when it works.' }),
  },
  {
    title: 'Link',
    examples: [
      {
        email: 'ada@example.com',
        name: 'Ada',
        purpose: 'first',
        expiresAt: '2026-11-16T09:30:00.000Z',
      },
    ],
  },
)
export type Link = Static<typeof Link>

export const LinkAcceptance = Type.Object(
  {
    token: linkToken,
    password: newPassword('The password to sign in with from now on. Not the e-mail address.'),
    name: optionalText(MAX_USER_NAME_CHARS, {
      description: 'What to be called from now on; needed where the link has no name.',
    }),
    email: optional<string>({
      type: ['string', 'null'],
      maxLength: MAX_EMAIL_CHARS,
      pattern: EMAIL_PATTERN,
      description: 'The e-mail address; needed where the link has none, and only there.',
    }),
  },
  {
    additionalProperties: false,
    title: 'LinkAcceptance',
    examples: [{ token: TOKEN_EXAMPLE, password: PASSWORD_EXAMPLE }],
  },
)
export type LinkAcceptance = Static<typeof LinkAcceptance>

export const PasswordChange = Type.Object(
  {
    currentPassword: givenPassword('The password until now.'),
    newPassword: newPassword('The password from now on. Not the e-mail address.'),
  },
  {
    additionalProperties: false,
    title: 'PasswordChange',
    examples: [{ currentPassword: PASSWORD_EXAMPLE, newPassword: 'another one, a little longer' }],
  },
)
export type PasswordChange = Static<typeof PasswordChange>

export const Setup = answerObject(
  { isPending: Type.Boolean({ description: 'Whether there is no admin yet.' }) },
  { title: 'Setup', examples: [{ isPending: false }] },
)
export type Setup = Static<typeof Setup>
