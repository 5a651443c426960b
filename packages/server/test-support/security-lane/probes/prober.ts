import type { Answer } from '../../start-app.ts'
import type { Asked, Place } from '../twins.ts'

/** The input of a probe: it sends requests that could leak something, and every response is compared. */
export interface Prober {
  readonly place: Place
  /** Distinguishes the data that different callers write. */
  readonly caller: string
  /** The ids to request: of visible, hidden and deleted issues, and of one that never existed. */
  readonly ids: readonly string[]
  /** The numbers of the same issues. Those of hidden issues never existed in the app without security issues. */
  readonly numbers: readonly number[]
  /** People whom issues are assigned to: one who sees the lane, and one who does not. */
  readonly people: { readonly sighted: string; readonly blind: string }
  /** The ids of files: of a visible one, of the hidden one, and of one that never existed. */
  readonly files: readonly string[]
  /** A shared view of security issues, in the app that has them. */
  readonly sharedView: string
  /** A fingerprint that a hidden issue has, for this caller alone. */
  readonly takenFingerprint: string
  /** The size of the pages by which whole lists are followed. */
  readonly pageSize: number
  ask(asked: Omit<Asked, 'key'>): Promise<Answer>
  /** Requests a stream, and listens until it sends an issue that is created in the meantime. */
  listen(asked: Omit<Asked, 'key'>): Promise<Answer>
  /** An issue of the open lane, created by another caller for this probe and delivered. */
  makeIssue(body: object): Promise<string>
  readonly webhooks: TeamWebhooks
  /** A permitted destination for webhooks. */
  readonly receiverUrl: string
  /** Waits until everything is delivered. */
  settle(): Promise<void>
}

export type Probe = (prober: Prober) => Promise<void>

/** The initial webhooks of a project's team, and one that never existed. */
export interface TeamWebhooks {
  /** Receives the events that everyone may see. */
  readonly open: string
  /** Receives security issues too. */
  readonly full: string
  readonly missing: string
}

/** The issues of the story that everyone may see, one of them deleted, and those that are hidden. */
export const VISIBLE = ['blank', 'successor', 'mistake', 'closed', 'advert']
export const HIDDEN = ['hole', 'moved', 'double', 'deleted', 'moved late', 'new', 'junk']

/** A person and an issue that never existed. */
export const NO_PERSON = 'usr_01m8z3v9q8e1r8m6n0p4s2t7wx'
export const NO_ISSUE = 'iss_7zzzzzzzzzzzzzzzzzzzzzzzzz'

/** Sends each request for every issue. */
export async function forEachId(
  prober: Prober,
  rest: string,
  asked: readonly Omit<Asked, 'path'>[],
): Promise<void> {
  for (const id of prober.ids)
    for (const one of asked) await prober.ask({ ...one, path: `/v1/issues/${id}${rest}` })
}

/** Follows cursors to the end. */
export async function followCursors(ask: (cursor: string) => Promise<Answer>): Promise<void> {
  let next: string | null | undefined = ''
  while (next !== null && next !== undefined) {
    const answer = await ask(next && `&cursor=${next}`)
    next = answer.body?.pagination?.nextCursor
  }
}

/** The first report has the id of its issue, with another prefix. */
export function firstReportOf(issueId: string): string {
  return issueId.replace('iss_', 'rep_')
}
