import { type Static, Type } from 'typebox'
import { BULK_ACTIONS, ISSUE_STATUSES, PRIORITIES } from '../../vocabulary/issues.ts'
import * as limits from '../../vocabulary/limits.ts'
import { answerObject, choice, optional, optionalText } from '../members.ts'
import { IssueFilter } from './issues.ts'
import { EXAMPLE_ISSUE_ID } from './submissions.ts'

const SelectedIssue = Type.Object(
  {
    id: Type.String({ maxLength: 64, description: "The issue's id.", examples: [EXAMPLE_ISSUE_ID] }),
    version: Type.Integer({ minimum: 1, description: 'Its `version` as you last read it.' }),
  },
  { additionalProperties: false, title: 'SelectedIssue', description: 'An issue to change.' },
)

function labelNames(description: string) {
  return Type.Optional(
    Type.Array(
      Type.String({
        minLength: 1,
        maxLength: limits.MAX_LABEL_NAME_CHARS,
        description: 'The name of a label.',
      }),
      { maxItems: limits.MAX_ISSUE_LABELS, description },
    ),
  )
}

/** What to change in each of the issues. */
export const BulkPatch = Type.Object(
  {
    status: Type.Optional(
      choice(ISSUE_STATUSES, {
        description: 'The new status. All of the issues must be able to change to it.',
      }),
    ),
    priority: Type.Optional(choice(PRIORITIES, { description: 'How urgent they are.' })),
    assigneeId: optional<string | null>({
      type: ['string', 'null'],
      maxLength: 64,
      description: 'The id of a person who has access to the project; `null` removes the assignee.',
    }),
    addLabels: labelNames('The names of labels to add. The case of letters does not matter.'),
    removeLabels: labelNames('The names of labels to remove.'),
    note: optionalText(limits.MAX_NOTE_CHARS, {
      description: 'A comment, stored in the history of each issue.',
    }),
  },
  { additionalProperties: false, title: 'BulkPatch', description: 'The fields to change, with `change`.' },
)
export type BulkPatch = Static<typeof BulkPatch>

/** Changes or deletes several issues of a project: all of them or none. */
export const BulkChange = Type.Object(
  {
    bulkId: Type.String({
      minLength: 1,
      maxLength: limits.MAX_BULK_ID_CHARS,
      pattern: '^[A-Za-z0-9_-]+$',
      description:
        'An id that you choose, once for each change. A retry with the same id and content changes nothing, and gets the first response; for at least 24 hours.',
      examples: ['0199a8f2-6f0c-7d53-a4b1-3f1f6c1f0a11'],
    }),
    projectId: Type.Optional(
      Type.String({
        maxLength: 64,
        description: "The project's id or slug. Implied by a key that belongs to a project.",
      }),
    ),
    issues: Type.Optional(
      Type.Array(SelectedIssue, {
        minItems: 1,
        maxItems: limits.MAX_BULK_ISSUES,
        description: 'The issues. Either these or `filter`.',
      }),
    ),
    filter: Type.Optional(IssueFilter),
    count: Type.Optional(
      Type.Integer({
        minimum: 1,
        maximum: limits.MAX_BULK_ISSUES,
        description: 'With `filter`: how many issues match, as you last read it.',
      }),
    ),
    action: choice(BULK_ACTIONS, {
      description:
        'What to do: `change` applies `patch`; `delete` needs `issues:delete` too; `mark_spam` hides the issues, and `unmark_spam` shows them again.',
    }),
    patch: Type.Optional(BulkPatch),
  },
  {
    additionalProperties: false,
    title: 'BulkChange',
    examples: [
      {
        bulkId: '0199a8f2-6f0c-7d53-a4b1-3f1f6c1f0a11',
        filter: { status: ['open'], label: ['needs design'] },
        count: 12,
        action: 'change',
        patch: { status: 'closed', note: 'The screen was removed.' },
      },
    ],
  },
)
export type BulkChange = Static<typeof BulkChange>

/** What a bulk change has done. */
export const BulkResult = answerObject(
  {
    bulkId: Type.String({ description: 'The id of the change.' }),
    action: choice(BULK_ACTIONS, { description: 'What was done.' }),
    matchedCount: Type.Integer({ description: 'The number of issues that were selected.' }),
    changedCount: Type.Integer({
      description: 'How many of them are different now: the others already had the requested values.',
    }),
  },
  {
    title: 'BulkResult',
    examples: [
      {
        bulkId: '0199a8f2-6f0c-7d53-a4b1-3f1f6c1f0a11',
        action: 'change',
        matchedCount: 12,
        changedCount: 12,
      },
    ],
  },
)
export type BulkResult = Static<typeof BulkResult>
