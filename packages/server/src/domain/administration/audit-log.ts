import type { AuditLogEntry, AuditLogPage, AuditLogQuery } from '@bugle/contract/settings'
import type { AuditEntry } from '../../model/audit-log.ts'
import { type AuditEntryId, isId } from '../../model/ids.ts'
import type { Storage } from '../../storage/storage.ts'
import type { UserCaller } from '../access/access.ts'
import { decodeTextCursor, encodeTextCursor, invalidCursor } from '../cursors.ts'
import { isoTime } from '../iso-time.ts'

/** The audit log in the settings. Entries about the security lane exist only for those who see it. */
export interface AuditLog {
  list(admin: UserCaller, query: AuditLogQuery): Promise<AuditLogPage>
}

const DEFAULT_ENTRIES = 50

export function createAuditLog({ auditLog }: Storage): AuditLog {
  return {
    async list({ user }, { actor, action, projectId, since, until, pageSize = DEFAULT_ENTRIES, cursor }) {
      const filters = ['audit-log', actor, action, projectId, since, until]
      const entries =
        projectId !== undefined && !isId('prj', projectId)
          ? []
          : await auditLog.list({
              lanes: user.canSeeSecurity ? ['open', 'security'] : ['open'],
              reach: user.projectIds,
              actor: actor ?? null,
              action: action ?? null,
              projectId: projectId ?? null,
              since: since === undefined ? null : Date.parse(since),
              until: until === undefined ? null : Date.parse(until),
              before: cursor === undefined ? null : placeIn(filters, cursor),
              limit: pageSize + 1,
            })
      const shown = entries.slice(0, pageSize)
      const last = entries.length > pageSize ? shown.at(-1) : undefined
      return {
        data: shown.map(showAuditEntry),
        pagination: {
          page: null,
          pageSize,
          hasMore: last !== undefined,
          nextCursor: last === undefined ? null : encodeTextCursor(filters, last.id),
          totalCount: null,
        },
      }
    },
  }
}

function placeIn(filters: readonly unknown[], cursor: string): AuditEntryId {
  const id = decodeTextCursor(filters, cursor)
  if (!isId('aud', id)) throw invalidCursor()
  return id
}

/** An entry as programs see it. */
export function showAuditEntry(entry: AuditEntry): AuditLogEntry {
  return {
    id: entry.id,
    at: isoTime(entry.at),
    actor: { kind: kindOf(entry.actor), id: entry.actor, name: entry.actorName },
    action: entry.action,
    projectId: entry.projectId,
    projectSlug: entry.projectSlug,
    subject: entry.subject,
    subjectName: entry.subjectName,
    changes: entry.changes.map((change) => ({ ...change })),
  }
}

function kindOf(actor: string): AuditLogEntry['actor']['kind'] {
  if (isId('usr', actor)) return 'user'
  if (isId('key', actor)) return 'key'
  return actor.startsWith('os:') ? 'os' : 'system'
}
