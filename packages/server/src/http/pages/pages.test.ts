import { createHash } from 'node:crypto'
import { globSync } from 'node:fs'
import {
  ALL_ERROR_CODES,
  ALL_ROLES,
  ATTEMPT_ERRORS,
  DELIVERY_STATUSES,
  ERROR_CODES,
  EVENT_TYPES,
  endpoints,
  ISSUE_STATUSES,
  SCOPES,
} from '@bugle/contract'
import { describe, expect, test } from 'vitest'
import { describeApi } from '../openapi.ts'
import { renderGuide } from './guide-page.ts'
import { findDocuments, GUIDE_INDEX, GUIDES } from './guides.ts'
import { renderMarkdown } from './markdown.ts'
import { escapeHtml, html, PAGE_CONTENT_SECURITY_POLICY } from './page.ts'
import { renderProblemIndex, renderProblemPage } from './problem-pages.ts'
import { jsonBlock } from './prose.ts'
import { renderReference } from './reference-page.ts'

const document = describeApi({ version: '1.2.3' })
const reference = renderReference(document)
const guides = await Promise.all(
  GUIDES.map(async (guide) => [`guide ${guide.name}`, (await renderGuide(guide)) ?? 'missing'] as const),
)
const pages = [
  ['reference', reference],
  ['problem index', renderProblemIndex()],
  ...guides,
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
    const tags = page.match(/<[a-z][^>]*>/gi)?.join('\n')
    expect(tags).not.toMatch(/\s(src|srcset|style|on\w+)=/i)
    expect(styleOf(page)).not.toMatch(/@import|url\(/i)
    const addresses = page.matchAll(/href="([^"]*)"/g).map(([, address]) => address)
    for (const address of addresses) expect(address).toMatch(/^(?:[/#](?!\/)|https:\/\/)/)
  })

  test('has the style that the policy allows', () => {
    const hash = createHash('sha256').update(styleOf(page)).digest('base64')
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

  test('shows the values of lists that the document leaves open', () => {
    for (const word of [...ATTEMPT_ERRORS, ...DELIVERY_STATUSES, ...ALL_ROLES]) {
      expect(reference).toContain(`<code>${word}</code>`)
    }
  })

  test('shows what is sent to webhooks', () => {
    for (const type of EVENT_TYPES) expect(reference).toContain(`<code>${type}</code>`)
    expect(reference).toContain('<span class="within">data.issue.</span>reportCount')
    expect(reference).toContain('<code>webhook.test</code>')
  })

  test('says of a nullable value what it may be', () => {
    expect(reference).toContain('date-time or null')
    expect(reference).toContain('string or number or boolean')
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

describe('the guides', () => {
  test('are all the documents for people who use or run a server', () => {
    const documents = globSync(['docs/*.md', 'packages/sdk/docs/*.md'], { cwd: findDocuments() ?? '' })
    expect(GUIDES.map(({ file }) => file)).toEqual(expect.arrayContaining(documents))
  })

  test('are found from wherever the code runs, or not at all', () => {
    expect(findDocuments('/')).toBeUndefined()
    expect(findDocuments(findDocuments())).toBe(findDocuments())
  })

  test('have an index that leads to each of them', async () => {
    const index = await renderGuide(GUIDE_INDEX)
    for (const { name } of GUIDES) expect(index).toContain(`href="/docs${name && `/${name}`}"`)
  })
})

describe('Markdown', () => {
  const render = async (text: string) => (await renderMarkdown(text, (link) => link)).main.toString()

  test('runs nothing and loads nothing, whatever it holds', async () => {
    const places = ['X', '# X', '- X', '> X', '`X`', '```X\nX\n```', '| X |\n|---|\n| X |', '**X**', '[X](y)']
    for (const place of places) {
      const page = await render(place.replaceAll('X', HOSTILE))
      expect(page).not.toMatch(/<(?:img|script|style)/)
    }
    expect(await render('![a](https://a.example/a.png)')).not.toContain('a.example')
  })

  test('gives headings the anchors of code hosts, each once', async () => {
    const { headings } = await renderMarkdown('# A `b`, c\n## Two words\n## Two words\n', (link) => link)
    expect(headings.map(({ id }) => id)).toEqual(['a-b-c', 'two-words', 'two-words-1'])
  })

  test('leaves the text of a link alone that leads nowhere here', async () => {
    const { main } = await renderMarkdown('See [the code](../src/a.ts).', () => undefined)
    expect(main.toString()).toBe('<p>See the code.</p>\n')
  })

  test('says the column of each cell, for narrow screens', async () => {
    const three = await render('| a | b | c |\n|---|---|---|\n| 1 | 2 | 3 |')
    expect(three).toContain('<td role="cell" data-label="c">3</td>')
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
    expect(renderProblemPage('submission-conflict')).toContain('href="/docs/reference#submitIssue"')
    expect(renderProblemPage('submission-conflict')).not.toContain('href="/docs/reference#listIssues"')
    expect(renderProblemPage('internal-error')).toContain('Any operation')
    expect(renderProblemPage('method-not-allowed')).not.toContain('href="/docs/reference#')
  })
})

function styleOf(page: string): string {
  return /<style>(.*?)<\/style>/s.exec(page)?.[1] ?? ''
}
