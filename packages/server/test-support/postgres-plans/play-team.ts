import { ISSUE_SORTS } from '@bugle/contract/vocabulary'
import { mintId, mintUnshardedId, projectNumberOf } from '../../src/model/ids.ts'
import { everyIssue } from '../../src/model/issue-lists.ts'
import type { StoredIssue } from '../../src/model/issues.ts'
import type { ProjectRecord } from '../../src/model/projects.ts'
import type { NewAttachment } from '../../src/model/reports/attachments.ts'
import type { Storage } from '../../src/storage/storage.ts'
import { BOTH_LANES } from './story-reports.ts'

/** Assigns and labels issues, lists them, and takes both from them. */
export async function playTeam(
  { issues, labels, users }: Storage,
  project: ProjectRecord,
  { id: issueId }: StoredIssue,
  at: number,
): Promise<void> {
  const userId = mintUnshardedId('usr', at)
  const name = `label ${at}`
  const label = await labels.create({ projectId: project.id, name, colour: '#596273', createdAt: at })
  if (typeof label === 'string') throw new Error(`the story has lost its way: ${label}`)
  const command = { projectId: project.id, issueId, lanes: BOTH_LANES, actor: null, at, ifVersions: null }
  const patch = { assigneeId: userId, labels: [label.number] }
  await issues.change({ ...command, patch, laneAssignee: userId })
  const all = everyIssue(project.id, BOTH_LANES)
  for (const filters of [
    { assignees: [userId] },
    { labels: [label.number] },
    { assignees: [null] },
    { reporters: ['ada', 'x@y.z'] },
  ])
    for (const sort of ISSUE_SORTS) {
      const selection = { ...all, ...filters }
      await issues.list({ selection, sort, start: { offset: 0 }, limit: 50 })
      await issues.countByStatus(selection)
    }
  await users.listOfProject({ projectId: project.id, canSeeSecurity: false, afterId: null, limit: 50 })
  await users.nextUnassignment()
  await users.finishUnassignment({ userId, round: 1 })
  await issues.listUnassignable(userId, undefined, 50)
  await issues.unassign({ projectId: project.id, issueId, userId, at })
  await labels.list(project.id)
  await labels.update(project.id, name, { colour: '#1a7f37' })
  await labels.delete(project.id, name)
  const deleted = { projectId: project.id, number: label.number }
  await labels.nextDeleted()
  await labels.listLabelled(deleted, 50)
  await issues.unlabel({ projectId: project.id, issueId, label: label.number })
  await labels.finishDeleted(deleted)
}

/** Writes, edits, deletes and lists comments. */
export async function playComments(
  { comments, attachments }: Storage,
  { id: projectId }: ProjectRecord,
  { id: issueId, issueNumber }: StoredIssue,
  at: number,
): Promise<void> {
  const mentioned = [{ id: mintUnshardedId('usr', at), name: 'Ada', canSeeSecurity: true }]
  const ids = Array.from({ length: 5 }, (_, n) => `story-${at}-${n}`)
  for (const commentId of [...ids, ...ids]) {
    const command = { projectId, issueId, commentId, lanes: BOTH_LANES, actor: null, at }
    const files = [commentFile(projectId, at), commentFile(projectId, at)]
    const said = { text: 'Look, @Ada', audience: 'team', mentioned } as const
    await comments.create({ ...command, ...said, attachments: files })
  }
  const [commentId = ''] = ids
  const command = { projectId, issueId, commentId, lanes: BOTH_LANES, actor: null, at }
  await comments.change({ ...command, text: 'Never mind', mentioned: [] })
  const { sha256, ...file } = commentFile(projectId, at)
  const place = { projectId, issueNumber, commentId, sha256 }
  await comments.change({ ...command, text: null, mentioned: [], attachments: [{ ...file, sha256 }] })
  await attachments.findDeclaration(place)
  await attachments.receive({ ...place, actor: null, at, stored: null, maxProjectBytes: 0 })
  await comments.delete({ ...command, mayDeleteAny: false })
  await comments.list({ projectId, issueNumber, afterNumber: 1, limit: 50 })
  await comments.findSome(
    projectId,
    ids.map((id) => ({ issueNumber, id })),
  )
}

function commentFile(projectId: ProjectRecord['id'], at: number): NewAttachment {
  const id = mintId('att', at, projectNumberOf(projectId))
  return { id, name: id, declaredType: 'image/png', size: 7, sha256: 'a7'.repeat(32), omitted: null }
}
