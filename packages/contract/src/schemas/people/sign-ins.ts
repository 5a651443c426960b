import { type Static, Type } from 'typebox'
import { answerObject, nullable, timestamp } from '../members.ts'

/** A session of a person in a browser. */
export const SignIn = answerObject(
  {
    id: Type.String({ description: 'Unique identifier. Not a credential.' }),
    createdAt: timestamp({ description: 'When it started.' }),
    lastSeenAt: timestamp({ description: 'When it was last used, to the minute.' }),
    expiresAt: timestamp({ description: 'When it ends if it is not used again.' }),
    userAgent: nullable<string>('string', { description: 'The user agent of the browser.' }),
    isCurrent: Type.Boolean({ description: 'Whether it is the session of this request.' }),
  },
  {
    title: 'SignIn',
    examples: [
      {
        id: 'sgn_01m8z3v9q8e1r8m6n0p4s2t7wx',
        createdAt: '2026-11-15T09:30:00.000Z',
        lastSeenAt: '2026-11-15T09:31:00.000Z',
        expiresAt: '2026-12-15T09:31:00.000Z',
        userAgent: 'Mozilla/5.0 (Macintosh; Intel Mac OS X 10.15; rv:144.0) Gecko/20100101 Firefox/144.0',
        isCurrent: true,
      },
    ],
  },
)
export type SignIn = Static<typeof SignIn>

export const SignInList = answerObject(
  { data: Type.Array(SignIn, { description: 'The sign-ins, newest first.' }) },
  { title: 'SignInList' },
)
export type SignInList = Static<typeof SignInList>

export const SignInParams = Type.Object(
  {
    id: Type.String({ description: "The sign-in's id.", examples: ['sgn_01m8z3v9q8e1r8m6n0p4s2t7wx'] }),
  },
  { additionalProperties: false },
)
