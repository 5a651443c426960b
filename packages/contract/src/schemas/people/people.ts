import { type Static, Type } from 'typebox'
import { answerObject } from '../members.ts'
import { CursorQuery, pageOf } from '../pagination.ts'
import { USER_EXAMPLE } from './users.ts'

/** A person as their colleagues see them: what is needed to assign an issue, and no more. */
export const Person = answerObject(
  {
    id: Type.String({ description: 'Unique identifier, for `assigneeId`.' }),
    name: Type.String({ description: 'The name shown in the history of issues.' }),
  },
  { title: 'Person', examples: [{ id: USER_EXAMPLE.id, name: USER_EXAMPLE.name }] },
)
export type Person = Static<typeof Person>

export const PersonPage = pageOf(Person, {
  title: 'PersonPage',
  description: 'People who have access to a project, in the order they were added.',
})
export type PersonPage = Static<typeof PersonPage>

export const PeopleQuery = Type.Object(
  {
    forSecurity: Type.Optional(
      Type.Boolean({
        description:
          '`true`: only people who can be assigned to issues of category `security`. Needs `security:read`.',
      }),
    ),
    ...CursorQuery.properties,
  },
  { additionalProperties: false },
)
export type PeopleQuery = Static<typeof PeopleQuery>
