import { type Static, Type } from 'typebox'
import { ISSUE_STATUSES } from '../../vocabulary/issues.ts'
import * as limits from '../../vocabulary/limits.ts'
import { EXAMPLE_ISSUE_ID } from '../issues/submissions.ts'
import { answerObject, choice, nullable, optionalText, release, requiredText } from '../members.ts'

/** What a person is about to report. */
export const KnownIssueSearch = Type.Object(
  {
    title: requiredText(limits.MAX_TITLE_CHARS, {
      description: 'The title of the report, as typed so far. It is neither stored nor logged.',
    }),
    appVersion: optionalText(limits.MAX_APP_VERSION_CHARS, {
      description: 'The version of the app, to find out whether it has the fix.',
    }),
  },
  {
    additionalProperties: false,
    title: 'KnownIssueSearch',
    examples: [{ title: 'Settings screen blank', appVersion: '2.3.0' }],
  },
)
export type KnownIssueSearch = Static<typeof KnownIssueSearch>

const EXAMPLE_KNOWN_ISSUE = {
  id: EXAMPLE_ISSUE_ID,
  title: 'The settings screen is blank',
  text: 'Turn the phone once, and it is drawn.',
  status: 'resolved',
  fixedIn: { appVersion: '2.4.1', buildNumber: null },
  hasFix: false,
}

/** What is published about an issue. */
export const KnownIssue = answerObject(
  {
    id: Type.String({ description: 'Identifies the issue: the `knownIssueId` of a report on it.' }),
    title: Type.String({ description: 'The published title.' }),
    text: Type.String({
      description:
        'What is known about it, such as a workaround; it may be empty. It is plain text, never HTML.',
    }),
    status: choice(ISSUE_STATUSES, { description: 'The status of the problem.' }),
    fixedIn: release(
      'KnownFixedIn',
      'The release that contains the fix; `null` if it is not known, or the issue is not resolved.',
    ),
    hasFix: nullable<boolean>('boolean', {
      description:
        'Whether the `appVersion` of the search is at least the version of `fixedIn`; `null` if one of them is missing.',
    }),
  },
  { title: 'KnownIssue', examples: [EXAMPLE_KNOWN_ISSUE] },
)
export type KnownIssue = Static<typeof KnownIssue>

export const KnownIssueList = answerObject(
  {
    data: Type.Array(KnownIssue, {
      description: `The known issues that match best, at most ${limits.MAX_KNOWN_MATCHES}, best first.`,
    }),
  },
  { title: 'KnownIssueList', examples: [{ data: [EXAMPLE_KNOWN_ISSUE] }] },
)
export type KnownIssueList = Static<typeof KnownIssueList>
