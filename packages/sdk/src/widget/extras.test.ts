import { MAX_METADATA_STRING_CHARS } from '@bugle/contract/vocabulary'
import { afterEach, expect, test, vi } from 'vitest'
import extras from './extras.ts'

afterEach(() => {
  vi.unstubAllGlobals()
})

test.each([
  ['Ctrl+Shift+U', { key: 'U', ctrlKey: true, shiftKey: true }, true],
  ['Ctrl+Shift+U', { key: 'u', ctrlKey: true }, false],
  ['Ctrl+Shift+U', { key: 'U', ctrlKey: true, shiftKey: true, altKey: true }, false],
  ['Alt+B', { key: '∫', code: 'KeyB', altKey: true }, true],
  ['Ctrl+/', { key: '/', ctrlKey: true }, true],
  ['Mod+K', { key: 'k', ctrlKey: true }, true],
  ['Mod+K', { key: 'k', metaKey: true }, false],
  // People type these.
  ['k', { key: 'k' }, false],
  ['Shift+K', { key: 'K', shiftKey: true }, false],
  ['', { key: '' }, false],
])('the shortcut %s and the keys %j: %s', (shortcut, keys, isExpected) => {
  const page = new EventTarget()
  vi.stubGlobal('window', page)
  vi.stubGlobal('navigator', { platform: 'Linux x86_64' })
  const listener = vi.fn()
  const stop = extras._watchShortcut(shortcut, listener)
  const modifiers = { ctrlKey: false, altKey: false, shiftKey: false, metaKey: false }
  const press = () => {
    const event = Object.assign(new Event('keydown', { cancelable: true }), modifiers, keys)
    page.dispatchEvent(event)
    return event.defaultPrevented
  }
  expect([press(), listener.mock.calls.length]).toEqual([isExpected, Number(isExpected)])
  stop()
  press()
  expect(listener.mock.calls.length).toBe(Number(isExpected))
})

test('a field takes as much text as the server does', () => {
  const created: { tag: string; maxLength?: number }[] = []
  const create = (tag: string, properties: object) => created[created.push({ tag, ...properties }) - 1]
  extras._makeFields(create as never, { fields: [{ name: 'plan', label: 'Plan' }] }, {} as never)
  expect(created.find(({ tag }) => tag === 'input')?.maxLength).toBe(MAX_METADATA_STRING_CHARS)
})
