import { type Static, Type } from 'typebox'
import { ALL_SCOPES } from '../../vocabulary/keys.ts'
import { ALL_ROLES } from '../../vocabulary/people.ts'
import { answerObject, choice } from '../members.ts'

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
    email: Type.String({ description: 'The email address that the person signs in with.' }),
    name: Type.String({ description: 'The name shown in the history of issues.' }),
    role: choice(ALL_ROLES, { description: 'The role, which determines their permissions.' }),
    canSeeSecurity: Type.Boolean({
      description: 'Whether the person can see issues of the category `security`.',
    }),
    scopes: Type.Array(choice(ALL_SCOPES, { description: 'A scope.' }), {
      description: 'The scopes that follow from the role and from access to security issues.',
    }),
    projectIds: Type.Unsafe<string[] | null>({
      type: ['array', 'null'],
      items: { type: 'string', description: 'The id of a project.' },
      description: 'The projects that the person has access to; `null` for all.',
    }),
  },
  { title: 'User', examples: [USER_EXAMPLE] },
)
export type User = Static<typeof User>
