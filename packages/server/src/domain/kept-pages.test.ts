import type { IssuePage } from '@bugle/contract'
import { describe, expect, it } from 'vitest'
import { createKeptPages } from './kept-pages.ts'

describe('kept pages', () => {
  it('are those that were asked for twice', () => {
    const pages = createKeptPages()
    const page = pageOf(25)
    pages.keep('list', 1, page)
    expect(pages.find('list', 1)).toBeUndefined()
    pages.keep('list', 1, page)
    expect(pages.find('list', 1)).toBe(page)
  })

  it('are gone once something has happened, and come back at once', () => {
    const pages = createKeptPages()
    for (const mark of [1, 1, 2]) pages.keep('list', mark, pageOf(mark))
    expect(pages.find('list', 1)).toBeUndefined()
    expect(pages.find('list', 2)?.data).toHaveLength(2)
  })

  it('are never more than so many items', () => {
    const pages = createKeptPages()
    const names = Array.from({ length: 400 }, (_, number) => `list ${number}`)
    for (const name of names) for (const _ of 'ab') pages.keep(name, 1, pageOf(100))
    const kept = names.filter((name) => pages.find(name, 1) !== undefined)
    expect(kept).toContain('list 399')
    expect(kept.length).toBeLessThan(50)
  })
})

function pageOf(items: number): IssuePage {
  return { data: Array.from({ length: items }, () => ({})) } as unknown as IssuePage
}
