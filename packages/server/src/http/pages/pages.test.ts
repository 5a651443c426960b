import { globSync } from 'node:fs'
import { gzipSync } from 'node:zlib'
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
import { describeApi } from '../openapi/openapi.ts'
import { codeBlock, codeName, jsonBlock } from './code.ts'
import { renderGuide } from './guide-page.ts'
import { findDocuments, GUIDE_GROUPS, GUIDE_INDEX, GUIDES } from './guides.ts'
import { HIGHLIGHTED_LANGUAGES, highlight } from './highlight.ts'
import { renderMarkdown } from './markdown.ts'
import { renderNotFound } from './not-found-page.ts'
import { escapeHtml, html, PAGE_CONTENT_SECURITY_POLICY, type Page, renderPage } from './page.ts'
import { renderProblemIndex, renderProblemPage } from './reference/problem-pages.ts'

import { renderReference } from './reference/reference-page.ts'
import { buildSearchIndex } from './search-index.ts'

const document = describeApi({ version: '1.2.3' })
const LOOK = {
  style: '/assets/docs-a.css',
  script: '/assets/docs-a.js',
  theme: '/assets/first-paint-a.js',
  icon: '/assets/icon-a.svg',
  font: '/assets/inter-a.woff2',
}
const whole = (page: Page) => renderPage(page, LOOK)
const reference = whole(renderReference(document, null))
const guides = await Promise.all(
  GUIDES.map(async (guide) => {
    const page = await renderGuide(guide, null)
    return [`guide ${guide.name}`, page === undefined ? 'missing' : whole(page)] as const
  }),
)
const pages = [
  ['reference', reference],
  ['problem index', whole(renderProblemIndex())],
  ['not found', whole(renderNotFound())],
  ...guides,
  ...ALL_ERROR_CODES.map((code) => [code, whole(renderProblemPage(code))] as const),
] as const

const HOSTILE = `<img src=x onerror=alert(1)>"'</style><script>`

describe('a template', () => {
  test('escapes its values, also in lists', () => {
    expect(html`<a title="${HOSTILE}">${[HOSTILE]}</a>`.toString()).toBe(
      `<a title="${escapeHtml(HOSTILE)}">${escapeHtml(HOSTILE)}</a>`,
    )
    expect(escapeHtml(`<>&"'`)).toBe('&#60;&#62;&#38;&#34;&#39;')
  })

  test('keeps the output of another template, and renders nothing for undefined', () => {
    expect(html`<p>${html`<b>${1}</b>`}${undefined}</p>`.toString()).toBe('<p><b>1</b></p>')
  })

  test('escapes objects that only look like HTML values', () => {
    const forged = JSON.parse('{"toString":"<b>"}')
    expect(() => html`${forged}`).toThrow()
  })

  test('escapes the names and values of shown JSON', () => {
    const shown = jsonBlock({ [HOSTILE]: HOSTILE, list: [HOSTILE] }).toString()
    expect(shown).not.toMatch(/<(?!\/?(pre|code|span))/)
  })
})

test('the policy of a page allows files of this server, and nothing else', () => {
  expect(PAGE_CONTENT_SECURITY_POLICY).toContain("default-src 'none'")
  expect(PAGE_CONTENT_SECURITY_POLICY).not.toMatch(/unsafe|\*|https?:|data:/)
})

describe.each(pages)('the page %s', (_, page) => {
  test('loads and runs only the built files', () => {
    expect(page).not.toMatch(/<(iframe|object|embed|form|base|style)\b/i)
    const tags = page.match(/<[a-z][^>]*>/gi)?.join('\n')
    expect(tags).not.toMatch(/\s(srcset|style|on\w+)=/i)
    const loaded = tags?.matchAll(/<(?:script|link|img)\b[^>]* (?:src|href)="([^"]*)"/g) ?? []
    expect([...loaded].map(([, path]) => path).sort()).toEqual([...Object.values(LOOK), LOOK.icon].sort())
    for (const [, content] of page.matchAll(/<script[^>]*>([^<]*)</g)) expect(content).toBe('')
    const addresses = page.matchAll(/href="([^"]*)"/g).map(([, address]) => address)
    for (const address of addresses) expect(address).toMatch(/^(?:[/#](?!\/)|https:\/\/)/)
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

  test('has no unrendered values', () => {
    // Code may mention them.
    const text = page.replaceAll(/<code[^>]*>.*?<\/code>/gs, '')
    expect(text).not.toMatch(/undefined|\[object |NaN/)
  })
})

describe('the reference', () => {
  test('shows every operation, value and problem of the contract', () => {
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

  test('shows the types of a nullable value', () => {
    expect(reference).toContain('date-time or null')
    expect(reference).toContain('string or number or boolean')
  })

  test('names nested fields by their path', () => {
    expect(reference).toContain('<span class="within">sdk.</span>version')
    expect(reference).toContain('<span class="within">data[].</span>issueNumber')
    expect(reference).toContain('<span class="within">metadata.</span>*')
  })

  test('escapes a hostile document', () => {
    const spoiled = JSON.parse(JSON.stringify(document), (key, value) =>
      typeof value === 'string' && key !== '$ref' && key !== 'example' ? value + HOSTILE : value,
    )
    const page = whole(renderReference(spoiled, null))
    expect(page).toContain(escapeHtml(HOSTILE))
    expect(page).not.toContain('<img src=x')
    expect(page).not.toContain('<script>')
  })
})

describe('the guides', () => {
  test('are all the documents for people who use or run a server', () => {
    const documents = globSync(['docs/**/*.md', 'packages/sdk/docs/*.md'], { cwd: findDocuments() ?? '' })
    expect(GUIDES.map(({ file }) => file)).toEqual(expect.arrayContaining(documents))
  })

  test('are found wherever the code runs, or not at all', () => {
    expect(findDocuments('/')).toBeUndefined()
    expect(findDocuments(findDocuments())).toBe(findDocuments())
  })

  test('have an index that links to each of them', async () => {
    const index = (await renderGuide(GUIDE_INDEX, null))?.main.toString()
    for (const { name } of GUIDE_GROUPS.flatMap((group) => group.guides))
      expect(index).toContain(`href="/docs/${name}"`)
  })

  test('link to their subpages, which are listed only there', async () => {
    const decisions = GUIDES.find(({ name }) => name === 'decisions')
    const [first, second] = decisions?.pages ?? []
    if (!decisions || !first || !second) throw new Error('there are no pages below the decisions')
    const above = await renderGuide(decisions, null)
    for (const { name } of decisions.pages ?? []) {
      expect(above?.main.toString()).toContain(`href="/docs/${name}"`)
      expect(above?.contents.toString()).toContain(`href="/docs/${name}"`)
    }
    const below = (await renderGuide(first, null))?.contents.toString()
    expect(below).toContain(`aria-current="page">${first.title}`)
    expect(below).toContain(`href="/docs/${second.name}"`)
    expect((await renderGuide(GUIDE_INDEX, null))?.contents.toString()).not.toContain(first.name)
  })
})

const PLACE = { addressOf: (link: string) => link, publicUrl: null }

describe('Markdown', () => {
  const render = async (text: string) => (await renderMarkdown(text, PLACE)).main.toString()

  test('runs nothing and loads nothing, whatever it contains', async () => {
    const places = ['X', '# X', '- X', '> X', '`X`', '```X\nX\n```', '| X |\n|---|\n| X |', '**X**', '[X](y)']
    for (const place of places) {
      const page = await render(place.replaceAll('X', HOSTILE))
      expect(page).not.toMatch(/<(?:img|script|style)/)
    }
    expect(await render('![a](https://a.example/a.png)')).not.toContain('a.example')
  })

  test('gives headings the anchors of code hosts, without duplicates', async () => {
    const { headings } = await renderMarkdown('# A `b`, c\n## Two words\n## Two words\n', PLACE)
    expect(headings.map(({ id }) => id)).toEqual(['a-b-c', 'two-words', 'two-words-1'])
  })

  test('shows only the text of a link whose target is not served', async () => {
    const { main } = await renderMarkdown('See [the code](../src/a.ts).', {
      ...PLACE,
      addressOf: () => undefined,
    })
    expect(main.toString()).toBe('<p>See the code.</p>\n')
  })

  test('labels each cell with its column, for narrow screens', async () => {
    const three = await render('| a | b | c |\n|---|---|---|\n| 1 | 2 | 3 |')
    expect(three).toContain('<td role="cell" data-label="c">3</td>')
  })
})

describe('an example', () => {
  const EXAMPLE = "init({ endpoint: 'http://127.0.0.1:4000' }) // and https://bugs.example.com"

  test('uses the public URL of the server', () => {
    const shown = codeBlock({ text: EXAMPLE, lang: 'js' }, 'https://issues.acme.test').toString()
    expect(shown.match(/https:\/\/issues\.acme\.test/g)).toHaveLength(2)
    expect(shown).not.toMatch(/127\.0\.0\.1|bugs\.example|server-url/)
  })

  test('marks the place of the URL for the browser, if there is no public one', () => {
    const shown = codeBlock({ text: EXAMPLE, lang: 'js' }, null).toString()
    expect(shown).toContain('<span class="server-url">http://127.0.0.1:4000</span>')
    expect(shown).toContain('<span class="server-url">https://bugs.example.com</span>')
  })

  test('does not change addresses that only start the same way', () => {
    for (const text of ['http://127.0.0.1:40001', 'https://bugs.example.com.au', 'http://127.0.0.1:9000'])
      expect(codeBlock({ text, lang: 'sh' }, 'https://a.test').toString()).toBe(
        `<pre><code>${text}</code></pre>`,
      )
  })

  test.each(HIGHLIGHTED_LANGUAGES)('in %s is shown completely, and escaped', (language) => {
    const text = `# a\n"b" 'c ${HOSTILE} \\ $D --e 1.5 <!-- {"f": null}\n/* \`g`
    const pieces = highlight(text, language)
    expect(pieces.map((piece) => piece.text).join('')).toBe(text)
    expect(codeBlock({ text, lang: language }, null).toString()).not.toMatch(/<(?!\/?(pre|code|span))/)
  })

  test.each([
    ['sh', 'export BUGLE_URL=x # why', ['keyword export', 'name BUGLE_URL', 'comment # why']],
    ['sh', `curl "$A" -d '{"a": 1}'`, ['keyword curl', 'string "$A"', 'number -d', `string '{"a": 1}'`]],
    ['json', '{ "a": [1, "b", null] }', ['name "a"', 'number 1', 'string "b"', 'keyword null']],
    ['ts', "const a = f('b') // c", ['keyword const', 'name f', "string 'b'", 'comment // c']],
    [
      'html',
      '<p class="a">b</p>',
      ['keyword <p', 'name class', 'string "a"', 'keyword >', 'keyword </p', 'keyword >'],
    ],
    ['python', 'def f(): # a', ['keyword def', 'name f', 'comment # a']],
  ])('in %s is coloured: %s', (language, text, expected) => {
    const coloured = highlight(text, language).filter(({ kind }) => kind !== 'plain')
    expect(coloured.map(({ kind, text: piece }) => `${kind} ${piece}`)).toEqual(expected)
  })

  test('in another language is left plain', () => {
    expect(codeBlock({ text: 'if x: "y"', lang: 'brainfuck' }, null).toString()).toBe(
      '<pre><code>if x: &#34;y&#34;</code></pre>',
    )
  })
})

describe('a name', () => {
  test('is not broken, unless it is too long for a line', () => {
    expect(codeName('Idempotency-Key').toString()).toBe('<code>Idempotency-Key</code>')
    expect(codeName('BUGLE_A_NAME_THAT_IS_MUCH_TOO_LONG').toString()).toBe(
      '<code class="long">BUGLE_<wbr>A_<wbr>NAME_<wbr>THAT_<wbr>IS_<wbr>MUCH_<wbr>TOO_<wbr>LONG</code>',
    )
    expect(codeName('npx bugle backup').toString()).toBe('<code class="long">npx bugle backup</code>')
  })
})

describe('the search index', () => {
  const index = buildSearchIndex(document)

  test('has every guide, operation and problem, at an address that exists', async () => {
    const paths = new Set((await index).map(({ path }) => path))
    expect(paths.size).toBe((await index).length)
    for (const { name } of GUIDES) expect(paths).toContain(`/docs${name && `/${name}`}`)
    for (const { name } of Object.values(endpoints)) expect(paths).toContain(`/docs/reference#${name}`)
    for (const code of ALL_ERROR_CODES) expect(paths).toContain(`/problems/${code}`)
    const ids = new Map(
      guides.map(([, page], at) => [
        GUIDES[at]?.name,
        [...page.matchAll(/ id="([^"]*)"/g)].map(([, id]) => id),
      ]),
    )
    for (const path of paths) {
      const [, name = '', anchor] = /^\/docs(?:\/([\w-]+))?#(.*)$/.exec(path) ?? []
      if (anchor !== undefined && name !== 'reference') expect(ids.get(name), path).toContain(anchor)
    }
  })

  test('contains texts, tables and code, and is small', async () => {
    const texts = (await index).map(({ text }) => text).join('\n')
    for (const words of ['BUGLE_PUBLIC_URL', 'npx bugle backup', 'GET /v1/issues/{id}', 'standardwebhooks'])
      expect(texts).toContain(words)
    expect(gzipSync(JSON.stringify(await index)).length).toBeLessThan(86 * 1024)
  })
})

describe('the problem pages', () => {
  test.each(ALL_ERROR_CODES)('explain %s', (code) => {
    const { title, status } = ERROR_CODES[code]
    expect(whole(renderProblemPage(code))).toContain(`<h1>${escapeHtml(title)}</h1>`)
    expect(whole(renderProblemPage(code))).toContain(`>${status}</span> <code>${code}</code>`)
    expect(whole(renderProblemIndex())).toContain(`href="/problems/${code}"`)
  })

  test('name exactly the operations that respond with the problem', () => {
    expect(whole(renderProblemPage('submission-conflict'))).toContain('href="/docs/reference#submitIssue"')
    expect(whole(renderProblemPage('submission-conflict'))).not.toContain('href="/docs/reference#listIssues"')
    expect(whole(renderProblemPage('internal-error'))).toContain('Any operation')
    expect(whole(renderProblemPage('method-not-allowed'))).not.toContain('href="/docs/reference#')
  })
})
