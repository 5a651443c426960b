import type { AuditEntry, AuditListing, NewAuditEntry } from '../../model/audit-log.ts'

/** The audit log. Entries are added by the operations that they describe, and never changed. */
export interface AuditStorage {
  /** For what has no transaction of its own, such as an export. */
  add(entry: NewAuditEntry): Promise<void>
  /** Newest first. */
  list(listing: AuditListing): Promise<readonly AuditEntry[]>
  /** Deletes a batch of entries from before a time; false when there is nothing left to delete. */
  expireSome(before: number): Promise<boolean>
}
