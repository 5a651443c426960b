import { describe, expect, it } from 'vitest'
import { setIssueStage } from '../../test-support/issue-stage.ts'
import { watchTurns } from '../../test-support/watch-turns.ts'

const CLIENTS = 20
/** Processor time of one turn, with what the clients in this process do. All bodies together take several times as long. */
const LONGEST_TURN_MS = 100

/** Arrays, nested about as deep as fits into a body: of all bodies, these take longest to refuse. */
const NESTED = '['.repeat(120_000) + ']'.repeat(120_000)

const stage = setIssueStage()

describe('many large bodies at once', () => {
  it('are read in several turns of the event loop', async () => {
    const { publicKey } = await stage.api.addProject()
    const send = () =>
      fetch(`${stage.api.url}/v1/issues`, {
        method: 'POST',
        headers: { authorization: `Bearer ${publicKey}`, 'content-type': 'application/json' },
        body: NESTED,
      })
    expect((await send()).status).toBe(422)
    const turns = watchTurns()
    const responses = await Promise.all(Array.from({ length: CLIENTS }, send))
    expect(turns.stop()).toBeLessThan(LONGEST_TURN_MS)
    expect(new Set(responses.map(({ status }) => status))).toEqual(new Set([422]))
  })
})
