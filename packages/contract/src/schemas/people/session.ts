import { type Static, Type } from 'typebox'
import {
  MAX_EMAIL_CHARS,
  MAX_PASSWORD_CHARS,
  MAX_USER_NAME_CHARS,
  MIN_PASSWORD_CHARS,
} from '../../vocabulary/limits.ts'
import { LINK_PURPOSES } from '../../vocabulary/people.ts'
import { answerObject, choice, nullable, optional, optionalText, timestamp } from '../members.ts'
import { USER_EXAMPLE, User } from './users.ts'

/** Text before and after one `@`, without white space. Only sending an email shows whether an address works. */
export const EMAIL_PATTERN = '^[^@\\s\\u0000-\\u001f\\u007f]+@[^@\\s\\u0000-\\u001f\\u007f]+$'

const PASSWORD_EXAMPLE = 'a sentence only I know'
const TOKEN_EXAMPLE = 'q0K3mB9tVxYc2LrW7nHs5dFgJ8pZaE1uTiOkSvXwRbM'

/** A password to compare, so anything that could be one is accepted. */
const givenPassword = (description: string) =>
  Type.String({ minLength: 1, maxLength: MAX_PASSWORD_CHARS, description })

const newPassword = (description: string) =>
  Type.String({ minLength: MIN_PASSWORD_CHARS, maxLength: MAX_PASSWORD_CHARS, description })

const linkToken = Type.String({
  minLength: 1,
  maxLength: 128,
  description: 'The text after `#link=` in the link.',
})

/** The person who is signed in, and until when. */
export const Session = answerObject(
  {
    user: User,
    createdAt: timestamp({ description: 'When they signed in.' }),
    expiresAt: timestamp({ description: 'When the session ends if it is not used again.' }),
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
    email: Type.String({ minLength: 1, maxLength: MAX_EMAIL_CHARS, description: 'The email address.' }),
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

/** A one-time link. */
export const Link = answerObject(
  {
    email: nullable<string>('string', {
      description: 'The email address of the person; `null` for the setup link, where the person enters it.',
    }),
    name: nullable<string>('string', { description: 'The name of the person; `null` for the setup link.' }),
    purpose: choice(LINK_PURPOSES, { description: 'A first password, or a new one.' }),
    expiresAt: timestamp({ description: 'When it expires.' }),
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
    password: newPassword('The new password. Must not be the email address.'),
    name: optionalText(MAX_USER_NAME_CHARS, {
      description: "The person's name; required if the link has none.",
    }),
    email: optional<string>({
      type: ['string', 'null'],
      maxLength: MAX_EMAIL_CHARS,
      pattern: EMAIL_PATTERN,
      description: 'The email address; required if the link has none, and not allowed otherwise.',
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
    currentPassword: givenPassword('The current password.'),
    newPassword: newPassword('The new password. Must not be the email address.'),
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
