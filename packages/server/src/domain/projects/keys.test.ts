import { describe, expect, it } from 'vitest'
import { hashToken, isWellFormedToken, judgeOrigin, mintKey } from './keys.ts'

const fields = { projectId: null, name: null, scopes: [], origins: [], createdAt: 0 } as const

describe('keys', () => {
  it('have a prefix, thirty random characters and a checksum', () => {
    const { token, key } = mintKey({ ...fields, kind: 'public' })
    expect(token).toMatch(/^bgl_pub_[0-9A-Za-z]{36}$/)
    expect(isWellFormedToken(token)).toBe(true)
    expect(key).toMatchObject({ token, ending: token.slice(-4), hash: hashToken(token) })
  })

  it('are not stored if they are secret', () => {
    const { token, key } = mintKey({ ...fields, kind: 'secret' })
    expect(token).toMatch(/^bgl_sec_/)
    expect(key.token).toBeNull()
    expect(JSON.stringify(key)).not.toContain(token.slice(8, 30))
  })

  it('with any one character changed are not well formed', () => {
    const { token } = mintKey({ ...fields, kind: 'secret' })
    for (let place = 0; place < token.length; place++) {
      const changed = token.slice(0, place) + (token[place] === 'x' ? 'y' : 'x') + token.slice(place + 1)
      expect(isWellFormedToken(changed)).toBe(false)
    }
    expect(isWellFormedToken('')).toBe(false)
    expect(isWellFormedToken(`${token}x`)).toBe(false)
  })

  it.each([
    ['public', [], undefined, 'allowed'],
    ['public', [], 'https://a.example', 'allowed'],
    ['public', ['https://a.example'], 'https://a.example', 'allowed'],
    ['public', ['https://a.example'], 'https://b.example', 'origin-not-allowed'],
    ['public', ['https://a.example'], 'null', 'origin-not-allowed'],
    ['public', ['https://a.example'], undefined, 'allowed'],
    ['secret', [], undefined, 'allowed'],
    ['secret', [], 'https://a.example', 'secret-key-in-browser'],
  ] as const)('%s with %j from %s: %s', (kind, origins, origin, verdict) => {
    expect(judgeOrigin(mintKey({ ...fields, kind, origins }).key, origin)).toBe(verdict)
  })

  it.each([
    ['public', 'https://bugs.example', 'allowed'],
    ['public', 'https://b.example', 'origin-not-allowed'],
    ['secret', 'https://bugs.example', 'secret-key-in-browser'],
  ] as const)('%s of an app from %s, where our own page is: %s', (kind, origin, verdict) => {
    const { key } = mintKey({ ...fields, kind, origins: ['https://a.example'] })
    expect(judgeOrigin(key, origin, 'https://bugs.example')).toBe(verdict)
  })
})
