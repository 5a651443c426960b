import type { EventRecord, MemberChange } from '../../model/events.ts'
import { type AttachmentId, isId, type ProjectId } from '../../model/ids.ts'
import { nameForType } from '../../model/reports/file-names.ts'
import type { AttachmentStorage } from '../../storage/ports/attachments.ts'

/** Adds the names of files to events about them. A name disappears with its report: it is `null` from then on. */
export async function addFileNames(
  events: readonly EventRecord[],
  projectId: ProjectId,
  attachments: Pick<AttachmentStorage, 'findNames'>,
): Promise<readonly EventRecord[]> {
  const ids = events.flatMap(({ changes }) => changes.flatMap(attachmentsIn))
  if (ids.length === 0) return events
  const names = await attachments.findNames(projectId, ids)
  return events.map((event) => ({ ...event, changes: event.changes.map((change) => named(change, names)) }))
}

function named(change: MemberChange, names: ReadonlyMap<AttachmentId, string>): MemberChange {
  const [id] = attachmentsIn(change)
  if (id === undefined) return change
  const { name: _, ...to } = change.to as Readonly<Record<string, unknown>>
  const name = names.get(id)
  const contentType = typeof to['contentType'] === 'string' ? to['contentType'] : null
  return { ...change, to: { ...to, name: name === undefined ? null : nameForType(name, contentType) } }
}

/** The attachment that a change is about. */
function attachmentsIn({ member, to }: MemberChange): readonly AttachmentId[] {
  if (member !== 'attachment' || typeof to !== 'object' || to === null || !('id' in to)) return []
  const { id } = to
  return typeof id === 'string' && isId('att', id) ? [id] : []
}
