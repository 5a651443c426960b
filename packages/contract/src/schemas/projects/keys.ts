import { type Static, Type } from 'typebox'
import { answerObject, nullable, timestamp } from '../members.ts'

/** A public key. It is not a secret: apps contain it, and it can be shown again. */
export const PublicKey = answerObject(
  {
    id: Type.String({ description: 'Unique identifier.' }),
    name: nullable<string>('string', { description: 'Its name.' }),
    token: Type.String({ description: 'The key itself.' }),
    origins: Type.Array(Type.String({ description: 'An origin.' }), {
      description: 'The origins that may use it; empty for all.',
    }),
    createdAt: timestamp({ description: 'When it was created.' }),
    lastUsedAt: nullable<string>('string', {
      format: 'date-time',
      description: 'When it was last used, to the minute.',
    }),
    revokedAt: nullable<string>('string', {
      format: 'date-time',
      description: 'When it was revoked.',
    }),
  },
  {
    title: 'PublicKey',
    examples: [
      {
        id: 'key_01m8z3v9q8e1r8m6n0p4s2t7wx',
        name: 'iOS app',
        token: 'bgl_pub_FVnEuR5SzR03k9Mp4SMZtRT3RMypRr0qfoRH',
        origins: [],
        createdAt: '2026-11-15T09:30:00.000Z',
        lastUsedAt: '2026-11-15T09:31:00.000Z',
        revokedAt: null,
      },
    ],
  },
)
export type PublicKey = Static<typeof PublicKey>

export const PublicKeyList = answerObject(
  { data: Type.Array(PublicKey, { description: 'The keys, oldest first.' }) },
  { title: 'PublicKeyList' },
)
export type PublicKeyList = Static<typeof PublicKeyList>
