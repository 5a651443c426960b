import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { gzipSync } from 'node:zlib'
import { beforeAll, describe, expect, it } from 'vitest'

const BUILT = new URL('../packages/dashboard/dist/', import.meta.url)
const MAX_FIRST_LOAD_BYTES = 200 * 1024
const INBOX = 'src/pages/inbox/inbox-page.tsx'

interface Chunk {
  readonly file: string
  readonly imports?: readonly string[]
}
let manifest: Readonly<Record<string, Chunk>>

beforeAll(() => {
  manifest = JSON.parse(read('manifest.json'))
})

describe('the built dashboard', () => {
  it('loads at most 200 KiB of JavaScript to show the inbox', () => {
    const files = [...chunksOf('index.html', INBOX)].map((key) => manifest[key]?.file ?? '')
    const bytes = files.reduce((sum, file) => sum + gzipSync(read(file), { level: 9 }).length, 0)
    expect(files.length).toBeGreaterThan(1)
    expect(bytes).toBeLessThanOrEqual(MAX_FIRST_LOAD_BYTES)
  })

  it('includes neither pages that are not shown nor the schema library', () => {
    const first = chunksOf('index.html', INBOX)
    for (const page of [
      'issue/issue-page',
      'insights/insights-page',
      'project/project-page',
      'account/account-page',
      'settings/settings',
    ])
      expect(first).not.toContain(`src/pages/${page}.tsx`)
    for (const { file } of Object.values(manifest))
      if (file.endsWith('.js')) expect(read(file)).not.toContain('additionalProperties')
  })

  it('loads the Markdown parser only for comments', () => {
    const parser = 'src/markdown/markdown.tsx'
    expect(manifest).toHaveProperty([parser])
    expect(chunksOf('index.html', INBOX, 'src/pages/issue/issue-page.tsx')).not.toContain(parser)
  })

  it('has no script and no style in its page', () => {
    const page = read('index.html')
    expect(page).not.toMatch(/<style|\sstyle=|\son\w+=/)
    for (const [, script] of page.matchAll(/<script[^>]*>([^<]*)</g)) expect(script).toBe('')
    for (const [, address] of page.matchAll(/(?:src|href)="([^"]+)"/g))
      expect(address).toMatch(/^\/assets\/[\w.-]+$/)
  })
})

/** These chunks and all their static imports. */
function chunksOf(...keys: readonly string[]): ReadonlySet<string> {
  const found = new Set<string>()
  const waiting = [...keys]
  for (let key = waiting.pop(); key !== undefined; key = waiting.pop()) {
    if (found.has(key)) continue
    found.add(key)
    waiting.push(...(manifest[key]?.imports ?? []))
  }
  return found
}

function read(file: string): string {
  return readFileSync(fileURLToPath(new URL(file, BUILT)), 'utf8')
}
