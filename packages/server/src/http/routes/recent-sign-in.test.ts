import { RECENT_SIGN_IN_MS } from '@bugle/contract'
import { describe, expect, it } from 'vitest'
import { setAppStage } from '../../../test-support/app-stage.ts'

const stage = setAppStage()

const URL = 'https://hooks.example/x'

/** An admin whose sign-in is no longer recent, and what they send. */
async function setOldSession() {
  const { api } = stage
  const project = await api.addProject()
  const admin = await api.addUser({ canSeeSecurity: true })
  const asKey = { key: project.secretKey }
  const { body: webhook } = await api.send('POST', '/v1/webhooks', { ...asKey, body: { url: URL } })
  await api.addKey({ project, kind: 'public', origins: ['https://app.example'] })
  const { body: issue } = await api.send('POST', '/v1/issues', {
    key: project.publicKey,
    body: { title: 'No sound' },
  })
  const shown = (await api.send('GET', `/admin/projects/${project.slug}`, { key: admin })).body
  const keys = (await api.send('GET', `/admin/projects/${project.slug}/keys`, { key: admin })).body.data
  const limited = keys.find(({ origins }: { origins: string[] }) => origins.length > 0)
  stage.pass(2 * RECENT_SIGN_IN_MS + 120_000)
  const sendAs = async (key: string, method: string, path: string, body: object) => {
    const answer = await api.send(method, path, { key, body })
    return answer.status < 400 ? answer.status : answer.body.code
  }
  const selection = { bulkId: 'bulk-1', projectId: project.id, issues: [{ id: issue.id, version: 1 }] }
  return {
    project,
    issue,
    webhook,
    send: (method: string, path: string, body: object) => sendAs(admin, method, path, body),
    sendWithKey: (method: string, path: string, body: object) =>
      sendAs(project.secretKey, method, path, body),
    changeProject: (change: object) =>
      sendAs(admin, 'PATCH', `/admin/projects/${project.slug}`, { revision: shown.revision, ...change }),
    changeKey: (change: object) =>
      sendAs(admin, 'PATCH', `/admin/keys/${limited.id}`, { revision: limited.revision, ...change }),
    selection,
  }
}

describe('with a sign-in of 32 minutes ago', () => {
  it('a project is not made public, but renamed', async () => {
    const { changeProject, project } = await setOldSession()
    expect(await changeProject({ isPublic: true })).toBe('recent-sign-in-required')
    expect((await stage.api.app.storage.projects.find(project.id))?.isPublic).toBe(false)
    expect(await changeProject({ isPublic: false, name: 'New name' })).toBe(200)
  })

  it('a public project is not created, but a private one', async () => {
    const { send } = await setOldSession()
    const given = { name: 'Open', slug: 'open' }
    expect(await send('POST', '/admin/projects', { ...given, isPublic: true })).toBe(
      'recent-sign-in-required',
    )
    expect(await send('POST', '/admin/projects', given)).toBe(201)
  })

  it('a key keeps its origins, but gets another name', async () => {
    const { changeKey } = await setOldSession()
    expect(await changeKey({ origins: [] })).toBe('recent-sign-in-required')
    expect(await changeKey({ origins: ['https://elsewhere.example'] })).toBe('recent-sign-in-required')
    expect(await changeKey({ name: 'Web app' })).toBe(200)
  })

  it('a webhook is neither created nor sent elsewhere nor shown the security lane, but paused', async () => {
    const { send, sendWithKey, project, webhook } = await setOldSession()
    const created = { projectId: project.id, url: URL }
    const path = `/v1/webhooks/${webhook.id}`
    for (const body of [created, { ...created, includeSecurity: true }])
      expect(await send('POST', '/v1/webhooks', body)).toBe('recent-sign-in-required')
    for (const body of [{ url: `${URL}/y` }, { includeSecurity: true }])
      expect(await send('PATCH', path, body)).toBe('recent-sign-in-required')
    expect(await send('PATCH', path, { status: 'paused', includeSecurity: false, name: 'Chat' })).toBe(200)
    expect(await send('POST', `${path}/rotate-secret`, {})).toBe('recent-sign-in-required')
    // A key has no sign-in.
    expect(await sendWithKey('PATCH', path, { url: `${URL}/y` })).toBe(200)
    expect(await sendWithKey('POST', '/v1/webhooks', { ...created, includeSecurity: true })).toBe(201)
  })

  it('issues are not deleted together, but changed and marked as spam', async () => {
    const { send, sendWithKey, selection, issue } = await setOldSession()
    const bulk = (step: object) => send('POST', '/v1/issues/bulk', { ...selection, ...step })
    expect(await bulk({ action: 'delete' })).toBe('recent-sign-in-required')
    expect(await bulk({ action: 'change', patch: { priority: 'high' } })).toBe(200)
    for (const [index, action] of ['mark_spam', 'unmark_spam'].entries())
      expect(
        await bulk({ action, bulkId: `spam-${index}`, issues: [{ id: issue.id, version: 2 + index }] }),
      ).toBe(200)
    const rest = { ...selection, bulkId: 'bulk-3', issues: [{ id: issue.id, version: 4 }] }
    expect(await sendWithKey('POST', '/v1/issues/bulk', { ...rest, action: 'delete' })).toBe(200)
  })

  it('callers without the right to do it are told that, and not to sign in again', async () => {
    const project = await stage.api.addProject()
    const viewer = await stage.api.addUser({ role: 'viewer' })
    stage.pass(RECENT_SIGN_IN_MS + 1)
    const body = { projectId: project.id, url: URL }
    const answer = await stage.api.send('POST', '/v1/webhooks', { key: viewer, body })
    expect(answer.body.code).toBe('insufficient-scope')
  })
})
