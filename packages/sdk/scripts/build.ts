import { globSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { type InputOptions, type Plugin, rolldown } from 'rolldown'
import { isolatedDeclarationSync, minifySync } from 'rolldown/experimental'

const PACKAGE = fileURLToPath(new URL('..', import.meta.url))

/** The modules that `exports` in package.json names. */
const ENTRIES = [
  'browser',
  'node',
  'react-native',
  'default',
  'crash/browser',
  'crash/node',
  'crash/react-native',
  'files/browser',
  'files/node',
  'files/react-native',
  'trail',
  'known-issues',
  'conversations/browser',
  'conversations/node',
  'conversations/react-native',
  'widget',
  'react',
  'vue',
  'screenshot',
  'shake',
  'vite',
]
/** The files for pages without a bundler: two for a script tag, and modules. The last is the page that the server serves. */
const SINGLE_FILES = [
  { name: 'bugle.js', entry: 'single-files/script-tag', format: 'iife' },
  { name: 'bugle-widget.js', entry: 'single-files/script-tag-with-widget', format: 'iife' },
  { name: 'bugle.mjs', entry: 'single-files/module', format: 'esm' },
  { name: 'bugle-files.mjs', entry: 'files/browser', format: 'esm' },
  { name: 'bugle-trail.mjs', entry: 'trail', format: 'esm' },
  { name: 'bugle-known-issues.mjs', entry: 'known-issues', format: 'esm' },
  { name: 'bugle-conversations.mjs', entry: 'conversations/browser', format: 'esm' },
  { name: 'bugle-reports-page.mjs', entry: 'single-files/reports-page', format: 'esm' },
] as const
/** Parts of the widget, which pages without a bundler load from the same folder as the files above. */
const ATTACH = 'src/widget/attach/attach.ts'
const REPORTS = 'src/widget/my-reports/my-reports.ts'
const SUGGESTIONS = 'src/widget/suggestions/suggestions.ts'
const PARTS = [
  'src/widget/extras.ts',
  ATTACH,
  'src/widget/editor/editor.ts',
  REPORTS,
  SUGGESTIONS,
  ...globSync('src/widget/languages/*.ts', { cwd: PACKAGE }).sort(),
]
const PART_FILE = 'bugle-widget-[name].mjs'
export const SINGLE_FILE_NAMES: readonly string[] = [
  ...SINGLE_FILES.map(({ name }) => name),
  ...PARTS.map((path) => PART_FILE.replace('[name]', basename(path, '.ts'))),
]

/**
 * Names of properties that start with an underscore belong to the SDK's own objects, and exist only in memory. They are shortened in
 * everything that is published. All other names stay: those of the API, of requests, of what is stored, and of objects of the platform.
 */
const INTERNAL_NAME = /^_[a-z]/
/** Without `x` and `y`, which are names of the platform's objects. */
const LETTERS = [...'abcdefghijklmnopqrstuvwzABCDEFGHIJKLMNOPQRSTUVWXYZ']

/** The short form of each of these names: the same in every file, because copies of one version share their state. */
export const SHORT_NAMES: ReadonlyMap<string, string> = new Map(
  findInternalNames().map((name, index) => [
    name,
    (LETTERS[index % LETTERS.length] as string) + (Math.floor(index / LETTERS.length) || ''),
  ]),
)

/** Those of the core first, because it has the smallest budget, and of those the most frequent first. */
function findInternalNames(): readonly string[] {
  const sources = globSync('src/**/*.ts', { cwd: PACKAGE }).filter((path) => !/\.(test|d)\.ts$/.test(path))
  const core = countNames(
    sources.filter((path) => /^src.(core|browser).(?!files|file-store|conversations)/.test(path)),
  )
  const all = countNames(sources)
  const order = (name: string) => (core.get(name) ?? 0) * 1_000 + (all.get(name) ?? 0)
  return [...all.keys()].sort((a, b) => order(b) - order(a) || (a < b ? -1 : 1))
}

function countNames(paths: readonly string[]): ReadonlyMap<string, number> {
  const counts = new Map<string, number>()
  for (const path of paths)
    for (const [name] of readFileSync(join(PACKAGE, path), 'utf8').matchAll(/(?<!\w)_[a-z]\w*/g))
      counts.set(name, (counts.get(name) ?? 0) + 1)
  return counts
}

const shortenNames: Plugin = {
  name: 'shorten-names',
  renderChunk(code, { fileName }, { format }) {
    const { code: shortened, errors } = minifySync(fileName, code, {
      module: format === 'es',
      compress: false,
      mangle: false,
      mangleProps: { include: INTERNAL_NAME, cache: Object.fromEntries(SHORT_NAMES) },
      codegen: { removeWhitespace: false },
    })
    if (errors[0]) throw new Error(`the names in ${fileName} could not be shortened: ${errors[0].message}`)
    return shortened
  },
}

/**
 * The widget's parts for files, for "My reports" and for suggestions have their own copies of the core's code: bundlers would move what they
 * share to a third file, which every page with the widget would have to load first. Copies share their state.
 */
const APART = { attach: ATTACH, 'my-reports': REPORTS, suggestions: SUGGESTIONS }
const keepApart: Plugin = {
  name: 'keep-apart',
  resolveId(id) {
    const found = Object.entries(APART).find(([, path]) => id.startsWith('.') && path.endsWith(id.slice(1)))
    return found ? { id: `../${found[0]}.js`, external: true } : null
  },
}

/** Styles are written with one rule in each line. */
const joinLines: Plugin = {
  name: 'join-lines',
  transform: (code, id) =>
    /style\.ts$/.test(id) ? code.replace(/`\n[^`]*`/, (style) => style.replaceAll('\n', '')) : null,
}

const INPUT: InputOptions = {
  cwd: PACKAGE,
  platform: 'neutral',
  external: [/^node:/, 'react', 'react-native', 'vite'],
  // Importing has no side effects, so unused code is removed: most of the vocabulary.
  treeshake: { moduleSideEffects: (id) => id.includes('script-tag') },
  transform: { target: 'es2022' },
  plugins: [joinLines, shortenNames],
}

const SMALL = { minify: true, comments: false, generatedCode: { symbols: false } } as const

/** Builds everything that is published: modules in both kinds, their types, and the single files. */
export async function buildSdk(folder: string): Promise<void> {
  rmSync(folder, { recursive: true, force: true })
  await Promise.all([buildModules(folder), buildSingleFiles(folder)])
  for (const kind of ['esm', 'cjs']) writeTypes(join(folder, kind))
  // Tells Node and TypeScript the module format of the files below it.
  writeFileSync(join(folder, 'cjs/package.json'), '{ "type": "commonjs" }\n')
}

async function buildModules(folder: string): Promise<void> {
  const entries = Object.fromEntries(ENTRIES.map((entry) => [entry, `src/${entry}.ts`]))
  for (const input of [entries, ...Object.entries(APART).map(([name, path]) => ({ [name]: path }))]) {
    const plugins = [joinLines, shortenNames, input === entries ? keepApart : []]
    await using bundle = await rolldown({ ...INPUT, input, plugins })
    const names = { entryFileNames: '[name].js', chunkFileNames: 'shared/[name].js' }
    await bundle.write({ dir: join(folder, 'esm'), format: 'esm', ...names })
    await bundle.write({ dir: join(folder, 'cjs'), format: 'cjs', ...names })
  }
}

async function buildSingleFiles(folder: string): Promise<void> {
  for (const { name, entry, format } of SINGLE_FILES) {
    await using bundle = await rolldown({ ...INPUT, input: `src/${entry}.ts` })
    await bundle.write({
      file: join(folder, name),
      format,
      ...SMALL,
    })
  }
  // One at a time, because together they would share a file, which is one more request.
  for (const input of PARTS) {
    await using bundle = await rolldown({ ...INPUT, input })
    await bundle.write({ dir: folder, format: 'esm', entryFileNames: PART_FILE, ...SMALL })
  }
}

/** Writes the types without the compiler, which is not installed where the server only runs. */
function writeTypes(folder: string): void {
  for (const path of globSync('**/*.ts', { cwd: join(PACKAGE, 'src') })) {
    if (/\.(test|d)\.ts$/.test(path)) continue
    const { code, errors } = isolatedDeclarationSync(path, readFileSync(join(PACKAGE, 'src', path), 'utf8'))
    if (errors[0]) throw new Error(`the types of ${path} could not be written: ${errors[0].message}`)
    const file = join(folder, path.replace(/\.ts$/, '.d.ts'))
    mkdirSync(dirname(file), { recursive: true })
    // The published modules end in .js, and TypeScript finds the types next to them.
    writeFileSync(file, code.replaceAll(/((?:from|import) ["']\.[^"']+)\.ts(["'])/g, '$1.js$2'))
  }
}

if (import.meta.main) await buildSdk(join(PACKAGE, 'dist'))
