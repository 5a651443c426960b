import { randomUUID } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { declare, PNG, setAttachmentStage } from '../../../../test-support/attachment-stage.ts'

const stage = setAttachmentStage()
const { report, reportWith, put } = stage

describe('an issue', () => {
  it('shows whether it has files, also in lists', async () => {
    const submissionId = randomUUID()
    const { id } = await report({ submissionId, attachments: [declare(PNG), declare('second')] })
    const other = await report({ title: 'Without files' })
    async function statesOf(): Promise<unknown[]> {
      const { data } = await stage.get('/v1/issues?pageSize=2')
      return data.map((item: { attachmentState: unknown }) => item.attachmentState)
    }
    const before = await stage.retrieve(id)
    expect(before.body.attachmentState).toBe('pending')
    expect(await statesOf()).toEqual([null, 'pending'])
    await put(submissionId, PNG)
    const after = await stage.retrieve(id)
    expect(after.body.attachmentState).toBe('received')
    expect(after.headers.get('etag')).not.toBe(before.headers.get('etag'))
    expect(await statesOf()).toEqual([null, 'received'])
    expect((await stage.retrieve(other.id)).body.attachmentState).toBeNull()
    const ifMatch = after.headers.get('etag') ?? ''
    const changed = await stage.change(id, { priority: 'high' }, { ifMatch })
    expect([changed.status, changed.body.attachmentState]).toEqual([200, 'received'])
  })

  it('has the files of each report in the list of reports, in the order of their declarations', async () => {
    const fingerprint = randomUUID()
    const { id } = await reportWith([{ bytes: 'one' }, { bytes: PNG, name: 'two.png' }], { fingerprint })
    await report({ fingerprint })
    await report({ fingerprint, submissionId: randomUUID(), attachments: [declare('late', 'late.txt')] })
    const filesOf = async (query: string) =>
      (await stage.get(`/v1/issues/${id}/reports${query}`)).data.map(
        (one: { attachments: { name: string; state: string }[] }) =>
          one.attachments.map(({ name, state }) => `${name} ${state}`),
      )
    const first = ['note.txt received', 'two.png received']
    expect(await filesOf('')).toEqual([['late.txt pending'], [], first])
    expect(await filesOf('?distinct=true')).toEqual([first])
    expect(await filesOf('?includeText=false')).toEqual([[], [], []])
    const [reportId] = (await stage.get(`/v1/issues/${id}/reports`)).data.slice(-1).map(idOf)
    const redacted = await stage.api.send('POST', `/v1/issues/${id}/reports/${reportId}/redact`, {
      key: stage.project.secretKey,
    })
    expect(redacted.body.attachments).toHaveLength(2)
  })
})

function idOf({ id }: { readonly id: string }): string {
  return id
}
