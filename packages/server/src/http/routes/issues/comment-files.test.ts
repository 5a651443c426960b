import { describe, expect, it } from 'vitest'
import { declare, PNG, setAttachmentStage, sha256Of } from '../../../../test-support/attachment-stage.ts'
import { type Answer, BLIND_SCOPES } from '../../../../test-support/start-app.ts'

const stage = setAttachmentStage()
const MIB = 1024 * 1024
const { report } = stage

const send = (method: string, path: string, body?: object, key = stage.project.secretKey): Promise<Answer> =>
  stage.api.send(method, path, { key, ...(body && { body }) })
const putTo = (id: string, commentId: string, bytes: Uint8Array | string, options: PutOptions = {}) =>
  stage.api.send(
    'PUT',
    `/v1/issues/${id}/comments/${commentId}/attachments/${options.sha256 ?? sha256Of(bytes)}`,
    {
      key: options.key ?? stage.project.secretKey,
      body: bytes,
    },
  )
const commentsOf = async (id: string) => (await stage.get(`/v1/issues/${id}/comments`)).data

interface PutOptions {
  readonly key?: string
  readonly sha256?: string
}

/** A comment whose files have arrived. */
async function commentWith(id: string, commentId: string, files: readonly (Uint8Array | string)[]) {
  const attachments = files.map((bytes, index) => declare(bytes, `file ${index}.txt`))
  const { status } = await send('POST', `/v1/issues/${id}/comments`, { commentId, text: 'See', attachments })
  expect(status).toBe(201)
  for (const bytes of files) expect((await putTo(id, commentId, bytes)).status).toBe(201)
  const comment = (await commentsOf(id)).find((one: { id: string }) => one.id === commentId)
  return comment.attachments
}

describe('files of a comment', () => {
  it('are declared with it, follow it, and are shown with it', async () => {
    const { id } = await report()
    const attachments = [declare(PNG, '../shot.png', 'image/png'), declare('a log', 'log.txt')]
    const body = { commentId: 'a', text: 'See the files', attachments }
    const created = await send('POST', `/v1/issues/${id}/comments`, body)
    expect([created.status, created.body.attachments]).toMatchObject([
      201,
      [
        { name: 'shot.png', state: 'pending', declaredType: 'image/png', contentType: null, isInline: false },
        { name: 'log.txt', state: 'pending', receivedAt: null },
      ],
    ])
    const again = await send('POST', `/v1/issues/${id}/comments`, body)
    expect([again.status, again.body]).toEqual([201, created.body])
    const other = await send('POST', `/v1/issues/${id}/comments`, { ...body, attachments: [] })
    expect(other.body.code).toBe('comment-conflict')

    const first = await putTo(id, 'a', PNG)
    expect([first.status, first.body]).toEqual([
      201,
      { id: created.body.attachments[0].id, size: PNG.length, sha256: sha256Of(PNG), omitted: false },
    ])
    expect((await putTo(id, 'a', PNG)).status).toBe(200)
    const [{ attachments: shown }] = await commentsOf(id)
    expect(shown).toMatchObject([
      { state: 'received', contentType: 'image/png', isInline: true },
      { state: 'pending', isInline: false },
    ])
    const file = await stage.download(shown[0].id)
    expect([file.status, file.headers.get('content-type')]).toEqual([200, 'image/png'])
    expect((await stage.download(shown[1].id)).status).toBe(404)
    // They are no files of reports.
    expect(await stage.attachments(id)).toEqual([])
    expect((await stage.retrieve(id)).body.attachmentState).toBeNull()
    const { data: events } = await stage.get(`/v1/issues/${id}/events`)
    const received = events.find(({ type }: { type: string }) => type === 'attachment.received')
    expect(received.changes[0].to).toMatchObject({ commentId: 'a', name: 'shot.png' })
    const written = events.find(({ type }: { type: string }) => type === 'comment.created')
    expect(written.comment.attachments).toEqual(shown)
  })

  it('are refused if they are too many, too large, not declared, or other bytes', async () => {
    const { id } = await report()
    const pointerOf = async (attachments: readonly object[]) => {
      const body = { commentId: 'x', text: 'x', attachments }
      const answer = await send('POST', `/v1/issues/${id}/comments`, body)
      return [answer.status, answer.body.errors?.[0].pointer]
    }
    const small = declare('small')
    expect(await pointerOf(Array(11).fill(small))).toEqual([422, '#/attachments'])
    expect(await pointerOf([{ ...small, size: 10 * MIB + 1 }])).toEqual([422, '#/attachments/0/size'])
    const large = ['1', '2', '3'].map((digit) => ({ ...small, size: 9 * MIB, sha256: digit.repeat(64) }))
    expect(await pointerOf(large)).toEqual([422, '#/attachments'])
    expect(await commentsOf(id)).toEqual([])

    await commentWith(id, 'a', ['declared'])
    await send('POST', `/v1/issues/${id}/comments`, { commentId: 'b', text: 'x', attachments: [small] })
    expect((await putTo(id, 'a', 'undeclared')).status).toBe(404)
    expect((await putTo(id, 'a', 'x', { sha256: 'nothing' })).status).toBe(404)
    expect((await putTo(id, 'none', 'declared')).status).toBe(404)
    expect((await putTo(id, 'b', 'SMALL', { sha256: small.sha256 })).body.code).toBe('digest-mismatch')
    expect((await putTo(id, 'b', 'smaller', { sha256: small.sha256 })).body.code).toBe('content-too-large')
    expect((await putTo(id, 'b', 'small')).status).toBe(201)
  })

  it('are sent only by the author', async () => {
    const { id } = await report()
    const [ada, bob] = [
      await stage.api.addUser({ role: 'triager' }),
      await stage.api.addUser({ role: 'admin' }),
    ]
    const viewer = await stage.api.addUser({ role: 'viewer' })
    const body = { commentId: 'a', text: 'x', attachments: [declare('of Ada')] }
    await send('POST', `/v1/issues/${id}/comments`, body, ada)
    expect((await putTo(id, 'a', 'of Ada', { key: bob })).body.code).toBe('not-author')
    expect((await putTo(id, 'a', 'of Ada', { key: viewer })).body.code).toBe('insufficient-scope')
    expect((await putTo(id, 'a', 'of Ada', { key: ada })).status).toBe(201)
    const [{ attachments }] = await commentsOf(id)
    expect((await stage.download(attachments[0].id, {}, viewer)).status).toBe(200)
  })

  it('are replaced by an edit, which keeps those that stay', async () => {
    const { id } = await report()
    const [first, second] = await commentWith(id, 'a', ['one', 'two'])
    const attachments = [declare('two', second.name), declare('three', 'three.txt')]
    const path = `/v1/issues/${id}/comments/a`
    const edited = await send('PATCH', path, { attachments })
    expect([edited.status, edited.body.text]).toEqual([200, 'See'])
    expect(edited.body.editedAt).not.toBeNull()
    const byName = Object.fromEntries(
      edited.body.attachments.map((file: { name: string }) => [file.name, file]),
    )
    expect(byName[second.name]).toEqual(second)
    expect(byName['three.txt'].state).toBe('pending')
    expect(edited.body.attachments).toHaveLength(2)
    expect((await stage.download(first.id)).status).toBe(404)
    expect((await putTo(id, 'a', 'one')).status).toBe(404)
    expect((await putTo(id, 'a', 'three')).status).toBe(201)
    // Another text alone changes no files, and the same files alone change nothing.
    const text = await send('PATCH', path, { text: 'New' })
    expect(text.body.attachments.map(({ state }: { state: string }) => state)).toEqual([
      'received',
      'received',
    ])
    const same = await send('PATCH', path, { attachments })
    expect(same.body.editedAt).toBe(text.body.editedAt)
    const none = await send('PATCH', path, { attachments: [] })
    expect([none.body.text, none.body.attachments]).toEqual(['New', []])
    expect((await stage.download(second.id)).status).toBe(404)
  })

  it('disappear with the comment and with the issue; bytes that a report has too stay', async () => {
    const shared = 'in a report and in a comment'
    const { id, attachmentIds } = await stage.reportWith([{ bytes: shared }])
    const [own, other] = await commentWith(id, 'a', ['only here', shared])
    const [left] = await commentWith(id, 'b', ['with the issue'])
    expect((await send('DELETE', `/v1/issues/${id}/comments/a`)).status).toBe(204)
    for (const file of [own, other]) expect((await stage.download(file.id)).status).toBe(404)
    const { storage } = stage.api.app
    const bytesOf = async (bytes: string) => storage.attachments.findFile(stage.project.id, sha256Of(bytes))
    await expect.poll(() => bytesOf('only here'), { timeout: 60_000 }).toBeUndefined()
    expect(await bytesOf(shared)).toBeDefined()
    expect((await stage.download(attachmentIds[0] ?? '')).status).toBe(200)
    expect((await stage.download(left.id)).status).toBe(200)
    await send('DELETE', `/v1/issues/${id}`)
    expect((await stage.download(left.id)).status).toBe(404)
    await expect.poll(() => bytesOf('with the issue'), { timeout: 60_000 }).toBeUndefined()
  })

  it('of a hidden issue are hidden', async () => {
    const { id } = await report()
    const [file] = await commentWith(id, 'a', ['a hole'])
    const blind = await stage.api.addKey({ project: stage.project, scopes: BLIND_SCOPES })
    expect((await stage.download(file.id, {}, blind)).status).toBe(200)
    await stage.change(id, { category: 'security' })
    expect((await stage.download(file.id, {}, blind)).status).toBe(404)
    expect((await putTo(id, 'a', 'a hole', { key: blind })).status).toBe(404)
    expect((await stage.download(file.id)).status).toBe(200)
  })
})
