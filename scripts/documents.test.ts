import { globSync, readFileSync } from 'node:fs'
import { join, posix, sep } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'

/** Checks that the links, files and npm scripts in documents exist. */

const ROOT = fileURLToPath(new URL('..', import.meta.url))
const NOT_OURS = ['**/node_modules/**', '**/dist/**', 'data/**', '**/generated/**']

const places = globSync(['**/*', '.ci/*'], { cwd: ROOT, exclude: NOT_OURS }).map((path) =>
  path.split(sep).join('/'),
)
const documents = places.filter((path) => path.endsWith('.md'))
const { scripts } = JSON.parse(read('package.json')) as { scripts: Record<string, string> }

/** Files of a reader's app, which guides of frameworks name. */
const OF_APPS: readonly string[] = [
  'instrumentation-client.ts',
  'instrumentation.ts',
  'error.tsx',
  'app/layout.tsx',
  'app/global-error.tsx',
  'src/hooks.client.ts',
  'src/hooks.server.ts',
  'src/report-errors.ts',
  'src/app/app.config.ts',
]

describe.each(documents)('%s', (path) => {
  const text = read(path)

  it('links only to what exists', () => {
    expect(linksOf(text).filter((link) => !leadsSomewhere(path, link))).toEqual([])
  })

  it('names only files and folders that exist', () => {
    expect(pathsOf(text).filter((named) => !isPlace(named) && !OF_APPS.includes(named))).toEqual([])
  })

  it('names only npm scripts that exist', () => {
    expect(npmScriptsOf(text).filter((script) => !(script in scripts))).toEqual([])
  })
})

describe('the reading of documents', () => {
  const text = [
    '# A title: `code`, and more',
    'See [this](docs/a.md#part), [that](https://b.example) and [below](#a-title-code-and-more).',
    'Edit `http/gone.ts`, `packages/gone` or `lost/`, not `/docs`, `issue.created` or `pagination.nextCursor`.',
    '```sh',
    'npm run gone && npm test -- scripts/lost.ts # [no](link.md)',
    '```',
  ].join('\n')

  it('finds links, but not in code', () => {
    expect(linksOf(text)).toEqual(['docs/a.md#part', '#a-title-code-and-more'])
  })

  it('finds names of files and folders, in code only', () => {
    expect(pathsOf(text)).toEqual(['http/gone.ts', 'packages/gone', 'lost/', 'scripts/lost.ts'])
    expect(pathsOf(text).filter(isPlace)).toEqual([])
    expect(isPlace('http/server.ts')).toBe(true)
    expect(isPlace('scripts/')).toBe(true)
  })

  it('finds npm scripts', () => {
    expect(npmScriptsOf(text)).toEqual(['gone', 'test'])
  })

  it('knows the anchors of headings', () => {
    expect(anchorsOf(text)).toEqual(['a-title-code-and-more'])
  })
})

function read(path: string): string {
  return readFileSync(join(ROOT, path), 'utf8')
}

const FENCED = /^```.*?^```$/gms
const INLINE = /`([^`\n]+)`/g

/** Links that stay in the repository. */
function linksOf(text: string): readonly string[] {
  const prose = text.replaceAll(FENCED, '').replaceAll(INLINE, 'code')
  return [...prose.matchAll(/\]\(([^)\s]+)\)/g)]
    .map(([, target = '']) => target)
    .filter((target) => !/^[a-z]+:/.test(target))
}

function leadsSomewhere(from: string, link: string): boolean {
  const [file = '', anchor] = link.split('#')
  const target = file === '' ? from : posix.join(posix.dirname(from), file)
  if (!places.includes(target.replace(/\/$/, ''))) return false
  return anchor === undefined || anchorsOf(read(target)).includes(anchor)
}

/** The anchors that GitHub gives to headings. */
function anchorsOf(text: string): readonly string[] {
  const headings = text.replaceAll(FENCED, '').matchAll(/^#+ (.+)$/gm)
  return [...headings].map(([, heading = '']) =>
    heading
      .toLowerCase()
      .replaceAll(/[^\p{L}\p{N} _-]/gu, '')
      .replaceAll(' ', '-'),
  )
}

const FILE = /^(?:[\w.-]+\/)*[\w.-]+\.(?:ts|tsx|mjs|js|json|md)$/
const FOLDER = /^(?:[\w.-]+\/)+$/
const UNDER_TOP_FOLDER = /^(?:packages|scripts|docs|tests|\.ci)\/[\w./-]+$/

/** Words in code that look like paths of the repository. */
function pathsOf(text: string): readonly string[] {
  return codeOf(text)
    .flatMap((code) => code.split(/\s+/))
    .filter((word) => FILE.test(word) || FOLDER.test(word) || UNDER_TOP_FOLDER.test(word))
}

/** A path may start at the root or, if that is unambiguous, at a subfolder: `http/server.ts`. */
function isPlace(path: string): boolean {
  // Created by the build, so a clone does not have it.
  if (/(^|\/)dist(\/|$)/.test(path)) return true
  const wanted = path.replace(/\/$/, '')
  return places.some((place) => place === wanted || place.endsWith(`/${wanted}`))
}

function npmScriptsOf(text: string): readonly string[] {
  const commands = codeOf(text).flatMap((code) => [
    ...code.matchAll(/\bnpm (?:run ([\w:-]+)|(start|test)\b)/g),
  ])
  return commands.map(([, named, short]) => named ?? short ?? '')
}

function codeOf(text: string): readonly string[] {
  const fenced = text.match(FENCED) ?? []
  const inline = [...text.replaceAll(FENCED, '').matchAll(INLINE)].map(([, code = '']) => code)
  return [...inline, ...fenced]
}
