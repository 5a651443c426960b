import { beforeAll, describe, expect, it } from 'vitest'
import { setIssueStage } from '../../../../test-support/issue-stage.ts'

const stage = setIssueStage()
const { report, submit, change } = stage
const FIVE = ['id', 'issueNumber', 'title', 'status', 'createdAt']

/** A submission with a fingerprint that another person has reported and whose issue has been resolved since. */
async function submitKnown(
  fingerprint: string,
  key: string,
  submissionId = `by-${fingerprint.replaceAll(' ', '-')}`,
) {
  const first = await report({ fingerprint, title: 'Their words', appVersion: '1.0' })
  await report({ fingerprint, title: 'More of their words', appVersion: '1.0' })
  await change(first.id, { status: 'resolved', fixedIn: { appVersion: '2.0' } })
  stage.pass(60_000)
  const body = { title: 'My words', fingerprint, appVersion: '1.0', submissionId }
  const joined = await submit(body, undefined, key)
  return { first, body, joined, arrivedAt: new Date(stage.now).toISOString() }
}

describe('what a submission with a known fingerprint reveals', () => {
  let writer: string
  beforeAll(async () => {
    writer = await stage.api.addKey({ project: stage.project, scopes: ['issues:create'] })
  })
  const keys = {
    'a public key': () => stage.project.publicKey,
    'a secret key without issues:read': () => writer,
  }

  it.each(Object.entries(keys))('%s: five fields about its own report', async (name, key) => {
    const { first, joined, arrivedAt } = await submitKnown(`known to ${name}`, key())
    expect(joined.status).toBe(200)
    expect(Object.keys(joined.body)).toEqual(FIVE)
    expect(joined.body).toEqual({
      id: first.id,
      issueNumber: first.issueNumber,
      title: 'My words',
      status: 'open',
      createdAt: arrivedAt,
    })
  })

  it('a secret key with issues:read: the status, age and report count of the issue', async () => {
    const { first, joined } = await submitKnown('known to the team', stage.project.secretKey)
    expect(joined.body).toEqual({ ...first, title: 'My words', status: 'resolved', reportCount: 3 })
    expect(Object.keys(joined.body)).toEqual([...FIVE, 'reportCount'])
  })

  it.each(['public', 'secret'] as const)(
    'is the same, byte for byte, when a %s key repeats it',
    async (kind) => {
      const key = kind === 'public' ? stage.project.publicKey : stage.project.secretKey
      const { first, body, joined } = await submitKnown(`repeated by a ${kind} key`, key)
      stage.pass(60_000)
      await report({ fingerprint: body.fingerprint })
      await change(first.id, { status: 'closed', title: 'Edited' })
      const again = await submit(body, undefined, key)
      expect([again.status, again.text]).toEqual([200, joined.text])
      expect(again.headers.get('idempotency-replayed')).toBe('true')
    },
  )

  it('does not increase for a public key that repeats the submission of a secret one', async () => {
    const { body, arrivedAt } = await submitKnown('overheard', stage.project.secretKey)
    const overheard = await submit(body)
    expect(Object.keys(overheard.body)).toEqual(FIVE)
    expect(overheard.body).toMatchObject({ status: 'open', createdAt: arrivedAt })
  })

  it('does not increase in a public project', async () => {
    const project = await stage.api.addProject({ isPublic: true })
    const body = { title: 'Seen by all', fingerprint: 'seen by all' }
    await submit(body, undefined, project.publicKey)
    expect(Object.keys((await submit(body, undefined, project.publicKey)).body)).toEqual(FIVE)
  })
})
