import { expect, it } from 'vitest'
import { addProject, plainReport } from '../../../test-support/plain-reports.ts'
import { setNodes } from '../../../test-support/several-nodes.ts'
import { FAILED, TAKEN } from '../../../test-support/webhook-stage.ts'
import { makeWebhook } from '../../domain/webhooks/webhooks.ts'

const ROUNDS = 40

const stage = setNodes()

it.each([
  ['accepted', { ...TAKEN, response: 'Thanks for the report' }],
  ['refused', FAILED],
])('leaves no attempt behind when its issue is deleted at the same time: %s', async (_, result) => {
  const [sender, triager] = [await stage.openNode(), await stage.openNode()]
  const project = await addProject(sender)
  const fields = { url: 'https://a.example/', secret: 'whsec_a', createdAt: Date.now() }
  const webhook = await sender.webhooks.create(makeWebhook(project, fields))
  if (typeof webhook === 'string') throw new Error(`the webhook was not created: ${webhook}`)
  const reports = Array.from({ length: ROUNDS }, () => plainReport(project))
  for (const report of reports) await sender.issues.submit(report)
  await sender.deliveries.fanOut(project.id, webhook.id, Date.now())
  for (const [index, { issueId }] of reports.entries()) {
    const now = Date.now()
    const place = { projectId: project.id, webhookId: webhook.id, position: index + 1 }
    await Promise.all([
      sender.deliveries.recordAttempt({ ...place, sentAt: now, now, result, random: 0.5 }),
      triager.issues.delete({ projectId: project.id, issueId, lanes: ['open'], actor: null, at: now }),
    ])
  }
  expect(await stage.query('SELECT position FROM attempts')).toEqual([])
  expect(await stage.query('SELECT position FROM deliveries')).toEqual([])
})
