import { describe, expect, it } from 'vitest'
import { setIssueStage } from '../../../../test-support/issue-stage.ts'
import { BLIND_SCOPES } from '../../../../test-support/start-app.ts'

const stage = setIssueStage()
const { report, change, get, history } = stage

/** An issue with three reports, the last of which has a different text. */
async function reportThrice(fingerprint: string): Promise<string> {
  const { id } = await report({ fingerprint, description: 'Nothing to see' })
  await report({ fingerprint, description: 'Nothing to see' })
  await report({ title: 'Pink', description: `A flamingo ${fingerprint}`, fingerprint, metadata: { a: 1 } })
  return id
}

const send = (method: string, path: string, key = stage.project.secretKey) =>
  stage.api.send(method, path, { key })

describe('the reports of an issue', () => {
  it('are listed with the text of each reporter', async () => {
    const id = await reportThrice('listed')
    const { data } = await get(`/v1/issues/${id}/reports`)
    expect(data[0]).toMatchObject({
      reportNumber: 3,
      title: 'Pink',
      description: 'A flamingo listed',
      textNumber: 2,
      textOmitted: false,
      textOmittedReason: null,
      metadata: { a: 1 },
      attachments: [],
    })
    expect(data[2].id).toBe(id.replace('iss_', 'rep_'))
    expect(new Set(data.map((one: { id: string }) => one.id)).size).toBe(3)
    const distinct = await get(`/v1/issues/${id}/reports?distinct=true`)
    expect(distinct.data.map((one: { reportNumber: number }) => one.reportNumber)).toEqual([3, 1])
  })

  it('fill a page up to a limit on text, and continue with a cursor', async () => {
    const description = 'x'.repeat(32_000)
    const { id } = await report({ fingerprint: 'long', description })
    for (let index = 0; index < 11; index++) await report({ fingerprint: 'long', description })
    const seen: number[] = []
    const sizes: number[] = []
    let cursor = ''
    do {
      const { data, pagination } = await get(`/v1/issues/${id}/reports?pageSize=100${cursor}`)
      seen.push(...data.map((one: { reportNumber: number }) => one.reportNumber))
      sizes.push(data.length)
      expect(pagination.hasMore).toBe(pagination.nextCursor !== null)
      cursor = pagination.nextCursor && `&cursor=${pagination.nextCursor}`
    } while (cursor)
    expect(seen).toEqual([12, 11, 10, 9, 8, 7, 6, 5, 4, 3, 2, 1])
    expect(sizes).toEqual([8, 4])
    const { data } = await get(`/v1/issues/${id}/reports?pageSize=100&includeText=false`)
    expect(data).toHaveLength(12)
    expect(data[0]).toMatchObject({ title: null, description: null, textNumber: 1, textOmitted: false })
  })

  it('are not searched by anonymous readers, who cannot read them', async () => {
    const project = await stage.api.addProject({ isPublic: true })
    const key = project.publicKey
    const { id } = await report({ fingerprint: 'p', title: 'Blank', description: 'first words' }, key)
    await report({ fingerprint: 'p', title: 'Blank', description: 'A flamingo' }, key)
    await change(id, { description: 'edited' }, { key: project.secretKey })
    const find = async (q: string, reader: { key?: string }) => {
      const path = `/v1/issues?projectId=${project.slug}&q=${encodeURIComponent(q)}`
      const { status, body } = await stage.api.send('GET', path, reader)
      expect(status).toBe(200)
      const { body: counts } = await stage.api.send('GET', path.replace('issues?', 'issues/counts?'), reader)
      expect(counts.total).toBe(body.data.length)
      return body.data.length
    }
    for (const q of ['flamingo', 'flam*', '"a flamingo"', 'blank flamingo', 'first']) {
      expect([q, await find(q, { key: project.secretKey })]).toEqual([q, 1])
      expect([q, await find(q, {})]).toEqual([q, 0])
      expect([q, await find(q, { key })]).toEqual([q, 0])
    }
    for (const q of ['blank', 'edited', 'blank edited']) expect([q, await find(q, {})]).toEqual([q, 1])
    expect((await stage.api.send('GET', `/v1/issues/${id}/reports`, {})).status).toBe(401)
  })
})

describe('a report', () => {
  it('is deleted alone, and the history records it', async () => {
    const id = await reportThrice('deleted')
    const { data } = await get(`/v1/issues/${id}/reports`)
    const path = `/v1/issues/${id}/reports/${data[0].id}`
    const triage = await stage.api.addKey({
      project: stage.project,
      scopes: ['issues:read', 'issues:triage'],
    })
    expect((await send('DELETE', path, triage)).status).toBe(403)
    expect((await send('DELETE', path)).status).toBe(204)
    expect((await send('DELETE', path)).status).toBe(404)
    expect(await get(`/v1/issues/${id}`)).toMatchObject({ reportCount: 2, version: 2 })
    expect((await get(`/v1/issues?q=flamingo+deleted`)).data).toEqual([])
    expect((await history(id)).at(-1)).toMatchObject({
      type: 'issue.updated',
      actor: { kind: 'key' },
      changes: [{ member: 'report', from: 3, to: 'deleted' }],
    })
    const first = await send('DELETE', `/v1/issues/${id}/reports/${data[2].id}`)
    expect([first.status, first.body.code]).toEqual([409, 'first-report'])
  })

  it('is redacted, and stays in the list without its text', async () => {
    const id = await reportThrice('redacted')
    const { data } = await get(`/v1/issues/${id}/reports`)
    const { status, body } = await send('POST', `/v1/issues/${id}/reports/${data[0].id}/redact`)
    expect(status).toBe(200)
    const gone = { title: null, description: null, textOmitted: true, textOmittedReason: 'redacted' }
    expect(body).toEqual({ ...data[0], ...gone, metadata: null })
    expect((await get(`/v1/issues/${id}/reports`)).data).toEqual([body, ...data.slice(1)])
    expect((await get(`/v1/issues?q=flamingo+redacted`)).data).toEqual([])
  })

  it('of an issue that the caller cannot see is not found', async () => {
    const { id } = await report({ category: 'security', title: 'Hole' })
    const blind = await stage.api.addKey({ project: stage.project, scopes: BLIND_SCOPES })
    const path = `/v1/issues/${id}/reports/${id.replace('iss_', 'rep_')}`
    expect((await send('DELETE', path, blind)).status).toBe(404)
    expect((await send('POST', `${path}/redact`, blind)).status).toBe(404)
    expect((await get(`/v1/issues/${id}/reports`)).data[0]).toMatchObject({ title: 'Hole' })
    const other = await report({})
    expect(
      (await send('DELETE', `/v1/issues/${other.id}/reports/${id.replace('iss_', 'rep_')}`)).status,
    ).toBe(404)
  })
})
