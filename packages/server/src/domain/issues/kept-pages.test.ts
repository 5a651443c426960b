import type { IssuePage } from '@bugle/contract'
import { describe, expect, it, vi } from 'vitest'
import { createKeptPages } from './kept-pages.ts'

describe('kept pages', () => {
  it('are made twice, and then kept', async () => {
    const pages = createKeptPages()
    const make = vi.fn(async () => pageOf('Blank'))
    for (let time = 0; time < 5; time++)
      expect(await pages.take('list', '1.1', make)).toEqual(pageOf('Blank'))
    expect(make).toHaveBeenCalledTimes(2)
  })

  it('are made again once something has happened', async () => {
    const pages = createKeptPages()
    for (let time = 0; time < 3; time++) await pages.take('list', '1.1', async () => pageOf('Blank'))
    expect(await pages.take('list', '1.2', async () => pageOf('Dark'))).toEqual(pageOf('Dark'))
    expect(await pages.take('list', '2.1', async () => pageOf('Other'))).toEqual(pageOf('Other'))
  })

  it('hold only so much', async () => {
    const pages = createKeptPages()
    const large = pageOf('x'.repeat(100_000))
    // Forty of them fit.
    const names = Array.from({ length: 140 }, (_, number) => `list ${number}`)
    for (const name of names) for (const _ of 'ab') await pages.take(name, '1.1', async () => large)
    const make = vi.fn(async () => large)
    for (const name of names.slice(-10)) await pages.take(name, '1.1', make)
    expect(make).not.toHaveBeenCalled()
    await pages.take('list 0', '1.1', make)
    expect(make).toHaveBeenCalledOnce()
  })

  it('have short names', async () => {
    const pages = createKeptPages()
    const make = vi.fn(async () => pageOf('Blank'))
    for (let time = 0; time < 4; time++) await pages.take('n'.repeat(1_001), '1.1', make)
    expect(make).toHaveBeenCalledTimes(4)
  })
})

function pageOf(title: string): IssuePage {
  return { data: [{ title }] } as IssuePage
}
