import { describe, expect, it } from 'vitest'
import { createDeviceCookie } from './device-cookie.ts'
import { createSessionCookie } from './session-cookie.ts'

const TOKEN = 'q0K3mB9tVxYc2LrW7nHs5dFgJ8pZaE1uTiOkSvXw-_M'

describe('the session cookie', () => {
  it.each([
    [null, `bugle_session=${TOKEN}; Max-Age=7776000; Path=/; HttpOnly; SameSite=Lax`],
    ['http://10.0.0.1:4000', `bugle_session=${TOKEN}; Max-Age=7776000; Path=/; HttpOnly; SameSite=Lax`],
    [
      'https://bugle.example',
      `__Host-bugle_session=${TOKEN}; Max-Age=7776000; Path=/; HttpOnly; SameSite=Lax; Secure`,
    ],
  ])('of a server at %s', (publicUrl, expected) => {
    const cookie = createSessionCookie(publicUrl)
    expect(cookie.write(TOKEN)).toBe(expected)
    expect(cookie.cleared).toBe(expected.replace(TOKEN, '').replace('7776000', '0'))
    expect(cookie.read(expected.split(';')[0])).toBe(TOKEN)
  })

  it.each([
    [undefined, undefined],
    ['', undefined],
    [`bugle_session=${TOKEN}`, TOKEN],
    [`theme=dark; bugle_session=${TOKEN}; x=y`, TOKEN],
    [`x_bugle_session=${TOKEN}`, undefined],
    [`__Host-bugle_session=${TOKEN}`, undefined],
    [`bugle_session="${TOKEN}"`, undefined],
    [`bugle_session=${TOKEN}x`, undefined],
    ['bugle_session=', undefined],
    ['bugle_session', undefined],
    [`${'a=b;'.repeat(1_000)}bugle_session=${TOKEN}`, TOKEN],
  ])('is read from %j', (header, expected) => {
    expect(createSessionCookie(null).read(header)).toBe(expected)
  })

  it('with https, counts only with the prefixed name, which no other page can set', () => {
    expect(createSessionCookie('https://bugle.example').read(`bugle_session=${TOKEN}`)).toBeUndefined()
  })
})

describe('the device cookie', () => {
  it.each([
    [null, 'bugle_device=abc; Max-Age=31536000; Path=/session; HttpOnly; SameSite=Strict'],
    [
      'https://bugle.example',
      '__Secure-bugle_device=abc; Max-Age=31536000; Path=/session; HttpOnly; SameSite=Strict; Secure',
    ],
  ])('of a server at %s', (publicUrl, expected) => {
    const cookie = createDeviceCookie(publicUrl)
    expect(cookie.write('abc')).toBe(expected)
    expect(cookie.read(`x=y; ${expected.split(';')[0]}`)).toBe('abc')
    expect(cookie.read('x=y')).toBeUndefined()
  })
})
