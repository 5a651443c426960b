import { dayOf } from '../../../model/decisions/count-issue.ts'
import type { IssueId, ProjectId } from '../../../model/ids.ts'
import type { BlockCommand, BlockedSender } from '../../../model/reports/senders.ts'
import { forBoth, SEQ } from '../../dialects.ts'
import {
  all,
  type Operation,
  type Operations,
  one,
  send,
  storedId,
  storedSeq,
  touchCatalog,
} from '../../operations.ts'
import type { SenderStorage } from '../../ports/senders.ts'
import { findBlockedReporters, listBlockedReporters, setReporterBlocked } from './blocked-reporters.ts'

export function senderStorage(
  { read, write, writeInBackground }: Operations,
  announce: (projectId: ProjectId) => void,
): SenderStorage {
  return {
    requireKey: (day, fresh) => write(requireSenderKey, day, fresh),
    findKey: (day) => read(findKey, day),
    listBlocked: (projectId) => read(listBlocked, projectId),
    listBlockedReporters: (projectId) => read(listBlockedReporters, projectId),
    findBlockedReporters: (projectId, lane, keyHashes) =>
      read(findBlockedReporters, projectId, lane, keyHashes),
    async setReporterBlocked(command) {
      const isFound = await write(setReporterBlocked, command)
      announce(command.projectId)
      return isFound
    },
    block: (command) => write(blockSenders, command),
    unblock: (projectId) => write(unblockSenders, projectId),
    expireKeys: (firstDay) => writeInBackground(expireSenderKeys, firstDay),
    expireBlocked: (projectId, firstDay) => writeInBackground(expireBlockedSenders, projectId, firstDay),
  }
}

function* findKey(day: string): Operation<Uint8Array | undefined> {
  const row = yield* one<{ key: Uint8Array }>('SELECT key FROM sender_keys WHERE day = $1', day)
  return row && new Uint8Array(row.key)
}

export function* requireSenderKey(day: string, fresh: Uint8Array): Operation<Uint8Array> {
  // Another node may store one at the same time.
  yield* send('INSERT INTO sender_keys (day, key) VALUES ($1, $2) ON CONFLICT (day) DO NOTHING', day, fresh)
  return (yield* findKey(day)) ?? fresh
}

const SELECT_BLOCKED = forBoth(
  ({ seq }) => `SELECT sender, day FROM blocked_senders WHERE project = ${seq('$1')} ORDER BY sender`,
)

function* listBlocked(projectId: ProjectId): Operation<readonly BlockedSender[]> {
  return yield* all<BlockedSender>(SELECT_BLOCKED, storedSeq(projectId))
}

interface SenderRow {
  readonly sender: string | null
  readonly at: number
}

interface IssueRow extends SenderRow {
  readonly seq: number
  readonly number: number
}

const SELECT_ISSUE = {
  postgres: `SELECT i.project AS seq, i.number, i.sender, i.created_at AS at FROM issues i
    WHERE i.project = ${SEQ.postgres} AND i.id BETWEEN $2 AND $2 ORDER BY i.id LIMIT 1`,
  sqlite: `SELECT i.row >> 32 AS seq, i.row & 4294967295 AS number, i.sender, i.created_at AS at FROM issues i
    WHERE i.id = $2 AND +i.row >> 32 = ${SEQ.sqlite}`,
}

/** The latest reports whose senders are blocked. */
const BLOCKED_REPORTS = 100
const SELECT_REPORTS = forBoth(
  ({ isKey }) =>
    `SELECT r.sender, r.received_at AS at FROM reports r WHERE ${isKey('r.issue_number', '$1', '$2')}
     ORDER BY r.number DESC LIMIT ${BLOCKED_REPORTS}`,
)

function* findIssue(projectId: ProjectId, issueId: IssueId): Operation<IssueRow | undefined> {
  return yield* one<IssueRow>(SELECT_ISSUE, storedSeq(projectId), storedId(issueId))
}

export function* blockSenders({ projectId, issueId, since }: BlockCommand): Operation<void> {
  const issue = yield* findIssue(projectId, issueId)
  if (issue === undefined) return
  const reports = yield* all<SenderRow>(SELECT_REPORTS, issue.seq, issue.number)
  for (const { sender, at } of [issue, ...reports]) {
    if (sender === null || at < since) continue
    yield* send(
      `INSERT INTO blocked_senders (project, sender, day, issue_number) VALUES ($1, $2, $3, $4)
       ON CONFLICT (project, sender) DO NOTHING`,
      ...[issue.seq, sender, dayOf(at), issue.number],
    )
  }
  yield* touchCatalog()
}

/** Row by row: a join might scan all issues. */
const UNBLOCK = forBoth(
  ({ seq, isKey }) =>
    `DELETE FROM blocked_senders AS b WHERE b.project = ${seq('$1')}
     AND (SELECT i.spam_at IS NULL FROM issues i WHERE ${isKey('i.number', 'b.project', 'b.issue_number')})`,
)

export function* unblockSenders(projectId: ProjectId): Operation<void> {
  yield* send(UNBLOCK, storedSeq(projectId))
  yield* touchCatalog()
}

export function* expireSenderKeys(firstDay: string): Operation<void> {
  yield* send('DELETE FROM sender_keys WHERE day < $1', firstDay)
}

const EXPIRE_BLOCKED = forBoth(
  ({ seq }) => `DELETE FROM blocked_senders WHERE project = ${seq('$1')} AND day < $2`,
)

export function* expireBlockedSenders(projectId: ProjectId, firstDay: string): Operation<void> {
  yield* send(EXPIRE_BLOCKED, storedSeq(projectId), firstDay)
}
