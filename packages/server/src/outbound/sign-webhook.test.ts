import { Webhook as StandardReceiver } from 'standardwebhooks'
import { Webhook as SvixReceiver } from 'svix'
import { describe, expect, it } from 'vitest'
import { mintWebhookSecret, signWebhook } from './sign-webhook.ts'

const SECRET = mintWebhookSecret()
const NEXT_SECRET = mintWebhookSecret()
const BODY = JSON.stringify({ type: 'issue.created', data: { title: 'Größe 💥 \u2028' } })

describe.each([
  ['standardwebhooks', StandardReceiver],
  ['svix', SvixReceiver],
])('a receiver with %s', (_, Receiver) => {
  const verify = (secret: string, body: string, headers: Readonly<Record<string, string>>) =>
    new Receiver(secret).verify(body, { ...headers })

  it('accepts the message', () => {
    expect(verify(SECRET, BODY, sign([SECRET]))).toEqual(JSON.parse(BODY))
  })

  it('accepts the message with the old and with the new secret while they overlap', () => {
    const headers = sign([NEXT_SECRET, SECRET])
    expect(verify(SECRET, BODY, headers)).toEqual(JSON.parse(BODY))
    expect(verify(NEXT_SECRET, BODY, headers)).toEqual(JSON.parse(BODY))
  })

  it('refuses the old secret when it is no longer used', () => {
    expect(() => verify(SECRET, BODY, sign([NEXT_SECRET]))).toThrow('No matching signature')
  })

  it('refuses a body, an id or a time that was tampered with', () => {
    const headers = sign([SECRET])
    const later = String(Number(headers['webhook-timestamp']) + 1)
    const refusal = 'No matching signature'
    expect(() => verify(SECRET, BODY.replace('created', 'deleted'), headers)).toThrow(refusal)
    expect(() => verify(SECRET, BODY, { ...headers, 'webhook-id': 'msg_2' })).toThrow(refusal)
    expect(() => verify(SECRET, BODY, { ...headers, 'webhook-timestamp': later })).toThrow(refusal)
  })

  it('refuses a message that is replayed later', () => {
    const headers = sign([SECRET], Date.now() - 6 * 60_000)
    expect(() => verify(SECRET, BODY, headers)).toThrow('too old')
  })
})

describe('the headers', () => {
  it('contain one signature for each secret, and the time in seconds', () => {
    expect(sign([SECRET, NEXT_SECRET], 1_794_735_072_999)).toEqual({
      'webhook-id': 'msg_1',
      'webhook-timestamp': '1794735072',
      'webhook-signature': expect.stringMatching(/^v1,[\w+/]{43}= v1,[\w+/]{43}=$/),
    })
  })
})

describe('a new secret', () => {
  it('is 32 random bytes', () => {
    expect(SECRET).toMatch(/^whsec_[\w+/]{43}=$/)
    expect(SECRET).not.toBe(NEXT_SECRET)
  })
})

function sign(secrets: readonly string[], timestamp = Date.now()) {
  return signWebhook({ id: 'msg_1', timestamp, body: BODY, secrets })
}
