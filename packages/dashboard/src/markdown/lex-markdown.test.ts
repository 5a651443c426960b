import type { Token, Tokens } from 'marked'
import { describe, expect, it } from 'vitest'
import { lexMarkdown } from './lex-markdown.ts'

/** A linear parser takes a few milliseconds for these texts. CPU time, because other tests run at the same time. */
const MOST_CPU_MS = 1_000

function typesIn(tokens: readonly Token[]): string[] {
  return tokens.flatMap((token) => {
    const { items = [], tokens: inner = [] } = token as Tokens.Generic & { items?: Token[] }
    return [token.type, ...typesIn(items), ...typesIn(inner)]
  })
}

describe('the Markdown of comments', () => {
  it.each([
    ['*a* **b** ~~c~~ `d`', ['em', 'strong', 'del', 'codespan']],
    ['- a\n- b', ['list']],
    ['> a', ['blockquote']],
    ['```\na\n```', ['code']],
    ['[a](https://a.example)', ['link']],
    ['a\nb', ['br']],
  ])('%j is markup', (text, types) => {
    expect(typesIn(lexMarkdown(text))).toEqual(expect.arrayContaining(types))
  })

  it.each([
    '<b>a</b>',
    '<script>a</script>',
    '<!-- a -->',
    '| a |\n|---|\n| b |',
    '[a]: https://a.example\n\n[a]',
    'a\n===',
  ])('%j stays text', (text) => {
    const types = new Set(typesIn(lexMarkdown(text)))
    for (const type of ['html', 'table', 'def', 'heading']) expect(types).not.toContain(type)
  })

  it('stays text if it has hundreds of marks, whose ends would be looked for in all of it', () => {
    for (const text of ['*a_'.repeat(2_730), `${'*'.repeat(8_191)})`, `${'_'.repeat(8_191)})`]) {
      expect(typesIn(lexMarkdown(text))).toEqual(['paragraph', 'text'])
    }
    expect(typesIn(lexMarkdown(`${'*'.repeat(501)}\na`))).toEqual(['paragraph', 'text', 'br', 'text'])
    expect(typesIn(lexMarkdown('*a* '.repeat(250)))).toContain('em')
  })

  it.each([
    ['quotations', '>'.repeat(8_192)],
    ['lists', '- '.repeat(4_096)],
    ['numbered lists', '1. '.repeat(2_700)],
    ['emphasis', `${'*_'.repeat(2_000)}a${'_*'.repeat(2_000)}`],
    ['open emphasis', '_a_'.repeat(2_700)],
    ['brackets', `${'['.repeat(2_000)}a${'](b)'.repeat(1_500)}`],
    ['open links', '[a]('.repeat(2_000)],
    ['backticks', Array.from({ length: 120 }, (_, index) => '`'.repeat(index + 1)).join(' ')],
    ['addresses', 'www.'.repeat(2_000)],
    ['spaces', `${' '.repeat(8_000)}x`],
  ])('takes little time for nested %s', (_, text) => {
    const before = process.cpuUsage()
    expect(lexMarkdown(text).length).toBeGreaterThan(0)
    const { user, system } = process.cpuUsage(before)
    expect((user + system) / 1_000).toBeLessThan(MOST_CPU_MS)
  })
})
