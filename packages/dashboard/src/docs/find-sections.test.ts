import { describe, expect, it } from 'vitest'
import { findSections, type Section } from './find-sections.ts'

const SECTIONS: readonly Section[] = [
  section('Webhooks', 'Webhooks', 'The server tells a program of yours when something happens.'),
  section('Retries', 'Webhooks', 'A delivery that fails is retried for three days.'),
  section(
    'Backup and restore',
    'Operating',
    `${'Words come first. '.repeat(20)}Then: npx bugle backup FILE.`,
  ),
  section('List webhooks', 'API reference', 'GET /v1/webhooks'),
  section('Redirects', 'Operating', 'Nothing here about the other thing.'),
]

describe('the search of the documentation', () => {
  it('finds the sections that contain every word, in any order and anywhere', () => {
    expect(titlesFor('fails delivery')).toEqual(['Retries'])
    expect(titlesFor('backup')).toEqual(['Backup and restore'])
    expect(titlesFor('delivery nowhere')).toEqual([])
  })

  it('puts a page about the subject first, then titles, then texts', () => {
    expect(titlesFor('webhooks')).toEqual(['Webhooks', 'List webhooks', 'Retries'])
  })

  it('prefers whole words to parts of words', () => {
    expect(titlesFor('happen')).toEqual(['Webhooks'])
    expect(titlesFor('thing')).toEqual(['Redirects', 'Webhooks'])
    expect(titlesFor('RETRIES')[0]).toBe('Retries')
  })

  it('shows the words around the first match', () => {
    const [found] = findSections(SECTIONS, 'bugle')
    expect(found?.excerpt).toMatch(/^… .*npx bugle backup FILE\.$/)
    expect(findSections(SECTIONS, 'tells')[0]?.excerpt).toMatch(/^The server tells/)
  })

  it('finds nothing for an empty query, and treats every character literally', () => {
    expect(titlesFor('  ')).toEqual([])
    expect(titlesFor('.*')).toEqual([])
    expect(titlesFor('/v1/webhooks')).toEqual(['List webhooks'])
  })

  it('is bounded', () => {
    const many = Array.from({ length: 100 }, (_, index) => section(`Part ${index}`, 'Page', 'the same'))
    expect(findSections(many, 'same')).toHaveLength(12)
  })
})

function titlesFor(query: string): readonly string[] {
  return findSections(SECTIONS, query).map(({ title }) => title)
}

function section(title: string, page: string, text: string): Section {
  return { title, page, text, path: `/docs/${title}` }
}
