import type { Static } from 'typebox'
import { answerObject, choice, nullable } from '../members.ts'

const ACTOR_KINDS = ['key', 'user', 'system', 'reporter'] as const
export type ActorKind = (typeof ACTOR_KINDS)[number]

export const Actor = answerObject(
  {
    kind: choice(ACTOR_KINDS, {
      description: 'A key, a person of the team, Bugle itself, or a person who reported the issue.',
    }),
    id: nullable<string>('string', {
      description:
        'Its id; `null` for the system. The id of a reporter is the `reporterId` of their reports.',
    }),
    name: nullable<string>('string', {
      description:
        'Its current name; `null` for the system and for reporters, and if it has no name or was removed.',
    }),
  },
  {
    title: 'Actor',
    description: 'Who did it.',
    examples: [{ kind: 'user', id: 'usr_01m8z3v9q8e1r8m6n0p4s2t7wx', name: 'Ada' }],
  },
)
export type Actor = Static<typeof Actor>
