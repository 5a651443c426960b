import { createHash } from 'node:crypto'
import { ALL_ERROR_CODES, ERROR_CODES, endpoints, ISSUE_STATUSES, SCOPES } from '@bugle/contract'
import { describe, expect, test } from 'vitest'
import { describeApi } from '../openapi.ts'
import { escapeHtml, html, PAGE_CONTENT_SECURITY_POLICY } from './page.ts'
import { renderProblemIndex, renderProblemPage } from './problem-pages.ts'
import { jsonBlock } from './prose.ts'
import { renderReference } from './reference-page.ts'

const document = describeApi({ version: '1.2.3' })
const reference = renderReference(document)
const pages = [
  ['reference', reference],
  ['problem index', renderProblemIndex()],
  ...ALL_ERROR_CODES.map((code) => [code, renderProblemPage(code)] as const),
] as const

const HOSTILE = `<img src=x onerror=alert(1)>"'</style><script>`

describe('a template', () => {
  test('escapes what it is given, also in lists', () => {
    expect(html`<a title="${HOSTILE}">${[HOSTILE]}</a>`.toString()).toBe(
      `<a title="${escapeHtml(HOSTILE)}">${escapeHtml(HOSTILE)}</a>`,
    )
    expect(escapeHtml(`<>&"'`)).toBe('&#60;&#62;&#38;&#34;&#39;')
  })

  test('keeps what another template made, and leaves nothing for undefined', () => {
    expect(html`<p>${html`<b>${1}</b>`}${undefined}</p>`.toString()).toBe('<p><b>1</b></p>')
  })

  test('takes no object for HTML that only looks like it', () => {
    const forged = JSON.parse('{"toString":"<b>"}')
    expect(() => html`${forged}`).toThrow()
  })

  test('escapes the names and values of shown JSON', () => {
    const shown = jsonBlock({ [HOSTILE]: HOSTILE, list: [HOSTILE] }).toString()
    expect(shown).not.toMatch(/<(?!\/?(pre|code|span))/)
  })
})

describe.each(pages)('the page %s', (_, page) => {
  test('loads nothing and runs nothing', () => {
    expect(page).not.toMatch(/<(script|link|img|iframe|object|embed|form|base)\b/i)
    expect(page).not.toMatch(/\s(src|srcset|style|on\w+)=|@import|url\(/i)
    const addresses = page.matchAll(/href="([^"]*)"/g).map(([, address]) => address)
    for (const address of addresses) expect(address).toMatch(/^[/#](?!\/)/)
  })

  test('has the style that the policy allows', () => {
    const style = /<style>(.*?)<\/style>/s.exec(page)?.[1] ?? ''
    const hash = createHash('sha256').update(style).digest('base64')
    expect(PAGE_CONTENT_SECURITY_POLICY).toContain(`style-src 'sha256-${hash}'`)
    expect(PAGE_CONTENT_SECURITY_POLICY).not.toContain('unsafe')
  })

  test('has one title, landmarks, and headings in order', () => {
    const levels = [...page.matchAll(/<h([1-6])\b/g)].map(([, level]) => Number(level))
    expect(levels.filter((level) => level === 1)).toHaveLength(1)
    for (const [index, level] of levels.entries()) expect(level - (levels[index - 1] ?? 0)).toBeLessThan(2)
    for (const landmark of ['<html lang="en">', '<header', '<nav aria-label=', '<main id="main"']) {
      expect(page).toContain(landmark)
    }
  })

  test('has unique ids, and one for each link within it', () => {
    const ids = [...page.matchAll(/ id="([^"]*)"/g)].map(([, id]) => id)
    expect(new Set(ids).size).toBe(ids.length)
    for (const [, target] of page.matchAll(/href="#([^"]*)"/g)) expect(ids).toContain(target)
  })

  test('leaves no value unwritten', () => {
    expect(page).not.toMatch(/undefined|\[object |NaN/)
  })
})

describe('the reference', () => {
  test('shows every operation, word and problem of the contract', () => {
    for (const { name, path } of Object.values(endpoints)) {
      expect(reference).toContain(`<h3 id="${name}">`)
      expect(reference).toContain(`<code>${path}</code>`)
    }
    for (const word of [...ISSUE_STATUSES, ...Object.keys(SCOPES)]) {
      expect(reference).toContain(`<code>${word}</code>`)
    }
    for (const code of ALL_ERROR_CODES) expect(reference).toContain(`href="/problems/${code}"`)
  })

  test('names nested members by their path', () => {
    expect(reference).toContain('<span class="within">sdk.</span>version')
    expect(reference).toContain('<span class="within">data[].</span>issueNumber')
    expect(reference).toContain('<span class="within">metadata.</span>*')
  })

  test('escapes a hostile document', () => {
    const spoiled = JSON.parse(JSON.stringify(document), (key, value) =>
      typeof value === 'string' && key !== '$ref' && key !== 'example' ? value + HOSTILE : value,
    )
    const page = renderReference(spoiled)
    expect(page).toContain(escapeHtml(HOSTILE))
    expect(page).not.toContain('<img')
    expect(page).not.toContain('<script')
  })
})

describe('the problem pages', () => {
  test.each(ALL_ERROR_CODES)('say what %s means', (code) => {
    const { title, status } = ERROR_CODES[code]
    expect(renderProblemPage(code)).toContain(`<h1>${escapeHtml(title)}</h1>`)
    expect(renderProblemPage(code)).toContain(`>${status}</span> <code>${code}</code>`)
    expect(renderProblemIndex()).toContain(`href="/problems/${code}"`)
  })

  test('name the operations that answer with the problem, and no others', () => {
    expect(renderProblemPage('submission-conflict')).toContain('href="/docs#submitIssue"')
    expect(renderProblemPage('submission-conflict')).not.toContain('href="/docs#listIssues"')
    expect(renderProblemPage('internal-error')).toContain('Any operation')
    expect(renderProblemPage('method-not-allowed')).not.toContain('href="/docs#')
  })
})
