import { expect, it } from 'vitest'
import { setIssueStage } from '../../../test-support/issue-stage.ts'

const NESTED_AS_DEEP_AS_FITS = '['.repeat(120_000) + ']'.repeat(120_000)

const stage = setIssueStage()

it('a large body that is nested too deep is refused before it is parsed', async () => {
  const { publicKey } = await stage.api.addProject()
  const response = await fetch(`${stage.api.url}/v1/issues`, {
    method: 'POST',
    headers: { authorization: `Bearer ${publicKey}`, 'content-type': 'application/json' },
    body: NESTED_AS_DEEP_AS_FITS,
  })
  expect(response.status).toBe(400)
  expect(await response.json()).toMatchObject({
    code: 'malformed-body',
    detail: 'The body is nested deeper than 32 levels.',
  })
})
