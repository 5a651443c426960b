import { type Static, Type } from 'typebox'
import { ALL_ROLES } from '../vocabulary/roles.ts'
import { ALL_SCOPES } from '../vocabulary/scopes.ts'
import { answerObject, choice } from './members.ts'

export const USER_EXAMPLE = {
  id: 'usr_01m8z3v9q8e1r8m6n0p4s2t7wx',
  email: 'ada@example.com',
  name: 'Ada',
  role: 'triager',
  canSeeSecurity: false,
  scopes: ['issues:read', 'projects:read', 'events:read', 'issues:triage'],
  projectIds: null,
}

/** A person who signs in to the dashboard. */
export const User = answerObject(
  {
    id: Type.String({ description: 'Unique identifier.' }),
    email: Type.String({ description: 'Whom it is, and what they sign in with.' }),
    name: Type.String({ description: 'What they are called in the history of issues.' }),
    role: choice(ALL_ROLES, { description: 'What they may do.' }),
    canSeeSecurity: Type.Boolean({
      description: 'Whether issues of the category `security` exist for them.',
    }),
    scopes: Type.Array(choice(ALL_SCOPES, { description: 'A scope.' }), {
      description: 'The same in the words that keys have: what role and right amount to.',
    }),
    projectIds: Type.Unsafe<string[] | null>({
      type: ['array', 'null'],
      items: { type: 'string', description: 'The id of a project.' },
      description: 'The projects that they reach; `null`: all.',
    }),
  },
  { title: 'User', examples: [USER_EXAMPLE] },
)
export type User = Static<typeof User>
