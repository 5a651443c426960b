import { type Static, Type } from 'typebox'
import { EXAMPLE_ISSUE_ID } from './submissions.ts'

/** Which issue to merge into. */
export const IssueMerge = Type.Object(
  {
    into: Type.String({
      maxLength: 64,
      description:
        'The id of another issue of the project. Both or neither must be of category `security`. If it is a duplicate itself, the issue that it is a duplicate of is used.',
      examples: [EXAMPLE_ISSUE_ID],
    }),
  },
  { additionalProperties: false, title: 'IssueMerge', examples: [{ into: EXAMPLE_ISSUE_ID }] },
)
export type IssueMerge = Static<typeof IssueMerge>
