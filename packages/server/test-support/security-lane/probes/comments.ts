import { declare, sha256Of } from '../../attachment-stage.ts'
import { HIDDEN_COMMENT_FILE, HIDDEN_FILE } from '../story.ts'
import type { Asked } from '../twins.ts'
import { followCursors, forEachId, type Probe, type Prober } from './prober.ts'

/** How the lane is checked for comments, and for the files of comments and reports. */
export const COMMENT_PROBES: Readonly<Record<string, Probe>> = {
  async listIssueComments(prober) {
    await forEachId(prober, '/comments?cursor=WyJ4IiwxXQ', [{}])
    for (const id of prober.ids)
      await followCursors((cursor) => prober.ask({ path: `/v1/issues/${id}/comments?pageSize=1${cursor}` }))
  },

  async createComment(prober) {
    const own = `by-${prober.caller.replaceAll(' ', '-')}`
    const text = 'Look, @Sighted and @Blind'
    for (const id of prober.ids)
      for (const body of [
        { commentId: own, text },
        { commentId: own, text },
        // Taken in a hidden issue, and in a visible one.
        { commentId: 'shared', text },
        { commentId: 'hidden', text: '' },
      ])
        await prober.ask({ method: 'POST', path: `/v1/issues/${id}/comments`, body })
    for (const id of prober.ids) await prober.ask({ path: `/v1/issues/${id}` })
    await prober.ask({ path: '/v1/events?type=comment.created,comment.deleted' })
  },

  changeComment: (prober) =>
    forEachComment(prober, 'changed', { method: 'PATCH', body: { text: 'Mine now, @Blind' } }),

  deleteComment: (prober) => forEachComment(prober, 'deleted', { method: 'DELETE' }),

  async uploadCommentAttachment({ ask, ids, caller }) {
    const own = `with-a-file-by-${caller.replaceAll(' ', '-')}`
    // The same bytes as the hidden files: the response must not reveal whether the project has them.
    const attachments = [declare(HIDDEN_FILE, 'a.txt'), declare(HIDDEN_COMMENT_FILE, 'b.txt')]
    for (const id of ids) {
      const body = { commentId: own, text: 'With files', attachments }
      await ask({ method: 'POST', path: `/v1/issues/${id}/comments`, body })
      const put = (commentId: string, bytes: string) =>
        ask({
          method: 'PUT',
          path: `/v1/issues/${id}/comments/${commentId}/attachments/${sha256Of(bytes)}`,
          body: bytes,
        })
      for (const bytes of [HIDDEN_FILE, HIDDEN_COMMENT_FILE, 'not declared']) await put(own, bytes)
      for (const commentId of ['shared', 'file', 'never-was']) await put(commentId, HIDDEN_COMMENT_FILE)
      await ask({ path: `/v1/issues/${id}/comments` })
      await ask({ path: `/v1/issues/${id}/attachments` })
      await ask({ path: `/v1/issues/${id}` })
    }
  },

  async listIssueAttachments(prober) {
    await forEachId(prober, '/attachments?cursor=WyJ4IiwxXQ', [{}])
    for (const id of prober.ids)
      await followCursors((cursor) =>
        prober.ask({ path: `/v1/issues/${id}/attachments?pageSize=1${cursor}` }),
      )
  },

  async downloadAttachment({ ask, files, ids }) {
    for (const id of [...files, ...ids]) {
      const path = `/v1/attachments/${id}`
      for (const headers of [{}, { 'if-none-match': '*' }, { range: 'bytes=0-3' }, { range: 'bytes=999-' }])
        await ask({ path, headers })
    }
  },

  async uploadIssueAttachment({ ask, caller, place: { project } }) {
    const own = `with-file-by-${caller.replaceAll(' ', '-')}`
    const put = (submissionId: string, bytes: string, sha256 = sha256Of(bytes)) =>
      ask({
        method: 'PUT',
        path: `/v1/projects/${project.slug}/submissions/${submissionId}/attachments/${sha256}`,
        body: bytes,
      })
    const body = { submissionId: own, title: 'Probe', attachments: [declare(HIDDEN_FILE, 'a.txt')] }
    await ask({ method: 'POST', path: `/v1/projects/${project.slug}/issues`, body })
    await put(own, 'x'.repeat(HIDDEN_FILE.length), sha256Of(HIDDEN_FILE))
    await put(own, HIDDEN_FILE)
    await put(own, HIDDEN_FILE)
    await put('never-was', HIDDEN_FILE)
  },

  async uploadAttachment({ ask, caller }) {
    const own = `probed-by-${caller.replaceAll(' ', '-')}`
    const put = (submissionId: string, bytes: string, sha256 = sha256Of(bytes)) =>
      ask({ method: 'PUT', path: `/v1/submissions/${submissionId}/attachments/${sha256}`, body: bytes })
    // The same bytes as the hidden file: the response must not reveal whether the project has them.
    const attachments = [declare(HIDDEN_FILE, 'a.txt'), declare('shared by nobody', 'b.txt')]
    const body = { title: 'Probe', submissionId: own, attachments }
    await ask({ method: 'POST', path: '/v1/issues', body })
    await put(own, 'x'.repeat(HIDDEN_FILE.length), sha256Of(HIDDEN_FILE))
    await put(own, HIDDEN_FILE)
    await put(own, HIDDEN_FILE)
    await put(own, 'shared by nobody')
    for (const submissionId of ['hidden-1', 'open-1', 'never-was'])
      await put(submissionId, `not declared by ${submissionId}`)
    await put('never-was', HIDDEN_FILE)
  },
}

/** Comments of others and of the caller, in visible and in hidden issues. */
async function forEachComment(
  { ask, ids, caller }: Prober,
  what: string,
  asked: Omit<Asked, 'path'>,
): Promise<void> {
  const own = `${what}-by-${caller.replaceAll(' ', '-')}`
  for (const id of ids) {
    await ask({ method: 'POST', path: `/v1/issues/${id}/comments`, body: { commentId: own, text: 'Mine' } })
    for (const commentId of [own, own, 'shared', 'hidden', 'never-was'])
      await ask({ ...asked, path: `/v1/issues/${id}/comments/${commentId}` })
    await ask({ path: `/v1/issues/${id}/events?pageSize=100` })
  }
}
