import { type Static, Type } from 'typebox'
import { COMMENT_ID_PATTERN } from '../../vocabulary/comments.ts'
import { CATEGORIES, ISSUE_STATUSES, PRIORITIES } from '../../vocabulary/issues.ts'
import * as limits from '../../vocabulary/limits.ts'
import {
  choice,
  optional,
  optionalText,
  requiredText,
  WITHOUT_NUL,
  WITHOUT_NUL_NOT_BLANK,
} from '../members.ts'
import type { FixedIn } from './issues.ts'

/** A reply to the people who reported an issue. */
export interface IssueReply {
  readonly commentId: string
  readonly text: string
  readonly reportId?: string | null
}

/** What to change of what is published about an issue. */
export interface KnownPatch {
  readonly title?: string | null
  readonly text?: string | null
}

/** A merge patch (RFC 7396): only the fields to change. */
export const IssuePatch = Type.Object(
  {
    status: Type.Optional(
      choice(ISSUE_STATUSES, { description: 'The new status, one of `allowedTransitions`.' }),
    ),
    priority: Type.Optional(choice(PRIORITIES, { description: 'How urgent it is.' })),
    category: Type.Optional(
      choice(CATEGORIES, {
        description: 'What kind of problem it is; `security` hides it from callers without `security:read`.',
      }),
    ),
    title: Type.Optional(
      requiredText(limits.MAX_TITLE_CHARS, { description: 'Short summary of the problem.' }),
    ),
    description: optionalText(limits.MAX_DESCRIPTION_CHARS, { description: 'Free text; `null` removes it.' }),
    fixedIn: optional<{ readonly [K in keyof FixedIn]?: FixedIn[K] | null }>({
      type: ['object', 'null'],
      title: 'FixedInPatch',
      properties: {
        appVersion: {
          type: ['string', 'null'],
          minLength: 1,
          maxLength: limits.MAX_APP_VERSION_CHARS,
          pattern: WITHOUT_NUL,
          description: 'The version that contains the fix.',
        },
        buildNumber: {
          type: ['string', 'null'],
          maxLength: limits.MAX_BUILD_NUMBER_CHARS,
          pattern: WITHOUT_NUL,
          description: 'The build of that version.',
        },
      },
      additionalProperties: false,
      description:
        'The release that contains the fix: reports from older releases do not reopen the issue. Merged into the stored value: an absent field stays as it is, `null` removes it. A build number needs a version. `"fixedIn": null` removes both.',
    }),
    assigneeId: optional<string | null>({
      type: ['string', 'null'],
      maxLength: limits.MAX_ID_CHARS,
      description:
        'The id of a person who has access to the project; `null` removes the assignee. A `security` issue can only be assigned to a person who may see it.',
    }),
    labels: optional<string[]>({
      type: ['array', 'null'],
      items: { type: 'string', minLength: 1, maxLength: limits.MAX_LABEL_NAME_CHARS },
      maxItems: limits.MAX_ISSUE_LABELS,
      description:
        'The names of all its labels, which replace the earlier ones; `null` or an empty list removes them. The case of letters does not matter.',
    }),
    known: optional<KnownPatch>({
      type: ['object', 'null'],
      title: 'KnownPatch',
      properties: {
        title: {
          type: ['string', 'null'],
          minLength: 1,
          maxLength: limits.MAX_KNOWN_TITLE_CHARS,
          pattern: WITHOUT_NUL_NOT_BLANK,
          description: 'What reporters read, and what a search looks for.',
        },
        text: {
          type: ['string', 'null'],
          maxLength: limits.MAX_KNOWN_TEXT_CHARS,
          pattern: WITHOUT_NUL,
          description: 'What is known about it, such as a workaround. It may be empty.',
        },
      },
      additionalProperties: false,
      description: `Publishes the issue as a known issue, with its status and \`fixedIn\`: everyone who has a public key can find it. Merged into the stored value: an absent field stays as it is. It needs a title. \`"known": null\` unpublishes it. An issue of category \`security\` and spam cannot be published. A project can publish ${limits.MAX_KNOWN_ISSUES} issues.`,
    }),
    reply: optional<IssueReply>({
      type: ['object', 'null'],
      title: 'IssueReply',
      properties: {
        commentId: {
          type: 'string',
          minLength: 1,
          maxLength: limits.MAX_COMMENT_ID_CHARS,
          pattern: COMMENT_ID_PATTERN,
          description:
            'Created by the client. A repeated request with the same id and text is not applied again.',
        },
        text: {
          type: 'string',
          minLength: 1,
          maxLength: limits.MAX_COMMENT_CHARS,
          pattern: WITHOUT_NUL_NOT_BLANK,
          description: 'What the reporters will read.',
        },
        reportId: {
          type: ['string', 'null'],
          maxLength: 64,
          description: 'Only the reporter of this report can read it. If absent, all reporters.',
        },
      },
      required: ['commentId', 'text'],
      additionalProperties: false,
      description:
        'A comment for the reporters, stored right after the change. It is not stored if the change is refused.',
    }),
    note: optionalText(limits.MAX_NOTE_CHARS, { description: "A comment, stored in the issue's history." }),
  },
  {
    additionalProperties: false,
    title: 'IssuePatch',
    examples: [
      {
        status: 'resolved',
        fixedIn: { appVersion: '2.4.2', buildNumber: '530' },
        note: 'Layout pass was skipped.',
      },
    ],
  },
)
export type IssuePatch = Static<typeof IssuePatch>
