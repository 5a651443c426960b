import { describe, expect, it } from 'vitest'
import { splitLinks } from './split-links.ts'

/** A linear pattern takes a few milliseconds for these texts, a quadratic one minutes. Measured in CPU time, because other tests run at the same time. */
const MOST_CPU_MS = 1_000

const linksIn = (text: string) =>
  splitLinks(text).flatMap(({ text: shown, href }) => (href === undefined ? [] : [[shown, href]]))

describe('links in a text', () => {
  it.each([
    [
      'see https://example.com/a?b=1#c for more',
      'https://example.com/a?b=1#c',
      'https://example.com/a?b=1#c',
    ],
    ['HTTP://EXAMPLE.com', 'HTTP://EXAMPLE.com', 'http://example.com/'],
    ['(https://example.com/a_(b)).', 'https://example.com/a_(b)', 'https://example.com/a_(b)'],
    ['[https://example.com/x], or', 'https://example.com/x', 'https://example.com/x'],
    ['“https://example.com/ü”?', 'https://example.com/ü', 'https://example.com/%C3%BC'],
    ['https://example.com!!!', 'https://example.com', 'https://example.com/'],
    ['http://127.0.0.1:4000/docs', 'http://127.0.0.1:4000/docs', 'http://127.0.0.1:4000/docs'],
    ['https://example.com/a\u202etxt.exe', 'https://example.com/a', 'https://example.com/a'],
  ])('%j becomes a link', (text, shown, href) => {
    expect(linksIn(text)).toEqual([[shown, href]])
  })

  it.each([
    'javascript:alert(1)',
    'data:text/html,<b>x</b>',
    'ftp://example.com',
    'https://',
    'https://?',
    'https://bank.example@evil.example/',
    'https://user:secret@example.com/',
    'https://exаmple.com/ with a Cyrillic а',
    'xhttps://example.com',
    'www.example.com',
  ])('%j stays text', (text) => {
    expect(linksIn(text)).toEqual([])
  })

  it.each(['', 'plain', 'a https://a.example b https://b.example/ c', '<a href="https://a.example">x</a>'])(
    'no part of %j is lost',
    (text) => {
      expect(
        splitLinks(text)
          .map((piece) => piece.text)
          .join(''),
      ).toBe(text)
    },
  )

  it('makes at most 200 links, however many there are', () => {
    const text = 'https://example.com/ '.repeat(1_500)
    expect(linksIn(text)).toHaveLength(200)
    expect(
      splitLinks(text)
        .map((piece) => piece.text)
        .join(''),
    ).toBe(text)
  })

  it.each([
    ['stops and brackets', `https://a.example/${'.'.repeat(16_000)}a${')'.repeat(16_000)}`],
    ['brackets of all kinds', `https://a.example/${')]}'.repeat(10_000)}`],
    ['stops in the middle', `https://a.example/${'.'.repeat(32_000)}a`],
  ])('takes linear time for %s', (_, text) => {
    const before = process.cpuUsage()
    splitLinks(text)
    const { user, system } = process.cpuUsage(before)
    expect((user + system) / 1_000).toBeLessThan(MOST_CPU_MS)
  })
})
