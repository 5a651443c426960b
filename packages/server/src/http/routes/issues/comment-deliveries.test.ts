import { expect, it } from 'vitest'
import { setDeliveryStage } from '../../../../test-support/delivery-stage.ts'
import { soon } from '../../../../test-support/soon.ts'

const stage = setDeliveryStage()
const { create, report, told } = stage

const bodiesOf = (id: string, type: string) =>
  told(id)
    .map(({ text }) => JSON.parse(text))
    .filter((message) => message.type === type)

it('a comment is sent with its text, but no longer after it was deleted', async () => {
  const { id } = await create()
  const issue = await report()
  const path = `/v1/issues/${issue.id}/comments`
  const key = stage.project.secretKey
  await soon(() => expect(bodiesOf(id, 'issue.created')).toHaveLength(1))
  stage.receiver.react(() => ({ status: 500 }))
  await stage.api.send('POST', path, { key, body: { commentId: 'a', text: 'The password is hunter2' } })
  await soon(() => expect(bodiesOf(id, 'comment.created')).toHaveLength(1))
  expect(bodiesOf(id, 'comment.created')[0].data).toMatchObject({
    changes: [{ member: 'comment', from: null, to: 'a' }],
    comment: { id: 'a', text: 'The password is hunter2', issueId: issue.id },
    issue: { id: issue.id },
  })
  await stage.api.send('DELETE', `${path}/a`, { key })
  stage.receiver.react(() => ({ status: 200 }))
  stage.skip(60_000)
  await soon(() => {
    expect(bodiesOf(id, 'comment.created').at(-1)?.data.comment).toBeNull()
    expect(bodiesOf(id, 'comment.deleted')).toHaveLength(1)
  })
  const before = told(id).length - 1
  expect(told(id)[before]?.text).not.toContain('hunter2')
})

it('a comment is sent to Slack as plain text', async () => {
  const { id } = await create({ format: 'slack', eventTypes: ['comment.created'] })
  const issue = await report()
  const body = { commentId: 'a', text: '<!channel> *look*\n> @here' }
  await stage.api.send('POST', `/v1/issues/${issue.id}/comments`, { key: stage.project.secretKey, body })
  await soon(() => expect(told(id)).toHaveLength(1))
  const [sent] = told(id).map(({ text }) => JSON.parse(text))
  expect(sent.blocks[0].text).toMatchObject({ type: 'plain_text' })
  expect(sent.blocks[0].text.text).toContain('· &lt;!channel&gt; *look* &gt; @here')
  expect(sent.text).not.toMatch(/<!|\*/)
})
