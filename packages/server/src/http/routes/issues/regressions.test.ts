import { describe, expect, it } from 'vitest'
import { setDeliveryStage } from '../../../../test-support/delivery-stage.ts'
import { soon } from '../../../../test-support/soon.ts'

const stage = setDeliveryStage()
const { create, report, told } = stage
const REGRESSIONS = { eventTypes: ['issue.regressed'] }

/** An issue with a fix in 2.0, in the project of the stage. */
async function addResolved(fingerprint = 'fixed') {
  const { id } = await report({ fingerprint, appVersion: '1.0' })
  await change(id, { status: 'resolved', fixedIn: { appVersion: '2.0' } })
  return id as string
}

function change(id: string, body: object, headers: Record<string, string> = {}) {
  return stage.api.send('PATCH', `/v1/issues/${id}`, { key: stage.project.secretKey, body, headers })
}

async function get(path: string) {
  return stage.api.send('GET', path, { key: stage.project.secretKey })
}

async function regressionsOf(id: string): Promise<readonly { confirmed: boolean; changes: unknown[] }[]> {
  const { data } = (await get(`/v1/issues/${id}/events`)).body
  return data.filter(({ type }: { type: string }) => type === 'issue.regressed')
}

/** Everything before it has been delivered by then, because a webhook receives events in the order of the log. */
async function confirmationsTo(webhookId: string) {
  return told(webhookId).map(({ text }) => {
    const { data } = JSON.parse(text)
    return [data.issueNumber, data.confirmed]
  })
}

describe('a regression from a version that no earlier report came from', () => {
  it('reopens the issue, and is in the log but not delivered until the next report confirms it, once', async () => {
    const webhook = await create(REGRESSIONS)
    const id = await addResolved()
    await report({ fingerprint: 'fixed', appVersion: '999' })
    expect((await get(`/v1/issues/${id}`)).body).toMatchObject({ status: 'open', reportCount: 2 })
    const [first] = (await stage.events()).filter(({ type }) => type === 'issue.regressed')
    expect(first).toMatchObject({ confirmed: false, actor: { kind: 'system' } })
    expect(first?.reason).toContain('no earlier report of the project came from 999')

    await report({ fingerprint: 'fixed', appVersion: '3.0' })
    expect(await regressionsOf(id)).toHaveLength(1)
    for (let repeat = 0; repeat < 2; repeat++) await report({ fingerprint: 'fixed', appVersion: '999' })
    expect(await regressionsOf(id)).toMatchObject([{ confirmed: false }, { confirmed: true, changes: [] }])
    await soon(async () => expect(await confirmationsTo(webhook.id)).toEqual([[1, true]]))
    // If the first one were only late, it would have arrived before the later events.
    const other = await addResolved('known')
    await report({ fingerprint: 'known', appVersion: '3.0' })
    expect(await regressionsOf(other)).toMatchObject([{ confirmed: true }])
    await soon(async () => expect(await confirmationsTo(webhook.id)).toHaveLength(2))
    expect(await confirmationsTo(webhook.id)).toEqual([
      [1, true],
      [2, true],
    ])
  })

  it('differs from a regression from a known version', async () => {
    await create(REGRESSIONS)
    await report({ title: 'Of its own', appVersion: '5.0' })
    await report({ fingerprint: 'grouped', appVersion: '1.0' })
    await report({ fingerprint: 'grouped', appVersion: '6.0' })
    for (const [appVersion, confirmed] of [
      ['5.0', true],
      ['6.0', true],
      ['7.0', false],
    ] as const) {
      const id = await addResolved(`from ${appVersion}`)
      await report({ fingerprint: `from ${appVersion}`, appVersion })
      expect([appVersion, ...(await regressionsOf(id))]).toMatchObject([appVersion, { confirmed }])
    }
  })

  it('is unconfirmed also if only hidden or deleted reports came from that version', async () => {
    await create(REGRESSIONS)
    const key = stage.project.secretKey
    const hidden = { title: 'Hole', category: 'security', fingerprint: 'hole' }
    for (const appVersion of ['8.0', '8.1']) {
      await stage.api.send('POST', '/v1/issues', { key, body: { ...hidden, appVersion } })
    }
    const gone = await report({ fingerprint: 'gone', appVersion: '8.2' })
    await report({ fingerprint: 'gone', appVersion: '8.3' })
    await stage.api.send('DELETE', `/v1/issues/${gone.id}`, { key })
    for (const appVersion of ['8.0', '8.1', '8.2', '8.3']) {
      const id = await addResolved(`from ${appVersion}`)
      await report({ fingerprint: `from ${appVersion}`, appVersion })
      expect([appVersion, ...(await regressionsOf(id))]).toMatchObject([appVersion, { confirmed: false }])
    }
  })

  it('is not confirmed by a retry of the same submission', async () => {
    await create(REGRESSIONS)
    const id = await addResolved()
    for (let attempt = 0; attempt < 3; attempt++) {
      await report({ fingerprint: 'fixed', appVersion: '999', submissionId: 'retried' })
    }
    expect(await regressionsOf(id)).toMatchObject([{ confirmed: false }])
  })

  it('cannot be confirmed once the issue is resolved again: the next one is judged on its own', async () => {
    await create(REGRESSIONS)
    const id = await addResolved()
    await report({ fingerprint: 'fixed', appVersion: '3.0' })
    await change(id, { status: 'resolved', fixedIn: { appVersion: '4.0' } })
    await report({ fingerprint: 'fixed', appVersion: '3.0' })
    expect(await regressionsOf(id)).toHaveLength(1)
    await report({ fingerprint: 'fixed', appVersion: '4.0' })
    expect(await regressionsOf(id)).toMatchObject([{ confirmed: false }, { confirmed: false }])
  })
})

it('a regression increases the version, so that an outdated caller cannot close the issue', async () => {
  await stage.newProject()
  const id = await addResolved()
  const etag = (await get(`/v1/issues/${id}`)).headers.get('etag') ?? ''
  await report({ fingerprint: 'fixed', appVersion: '1.5' })
  await report({ fingerprint: 'fixed', appVersion: '2.1' })
  expect((await change(id, { status: 'closed' }, { 'if-match': etag })).status).toBe(412)
  const now = await get(`/v1/issues/${id}`)
  expect(now.body).toMatchObject({ status: 'open', version: 3 })
  await report({ fingerprint: 'fixed', appVersion: '2.1' })
  const ifMatch = now.headers.get('etag') ?? ''
  expect((await change(id, { status: 'closed' }, { 'if-match': ifMatch })).status).toBe(200)
})
