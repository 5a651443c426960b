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
  'crash-browser',
  'crash-node',
  'crash-react-native',
  'widget',
  'vite',
]
/** The files for pages without a bundler: two for a script tag, and a module. */
const SINGLE_FILES = [
  { name: 'bugle.js', entry: 'script-tag', format: 'iife' },
  { name: 'bugle-widget.js', entry: 'script-tag-with-widget', format: 'iife' },
  { name: 'bugle.mjs', entry: 'module', format: 'esm' },
] as const
/** Parts of the widget, which pages without a bundler load from the same folder as the files above. */
const PARTS = ['src/widget/extras.ts', ...globSync('src/widget/languages/*.ts', { cwd: PACKAGE }).sort()]
const PART_FILE = 'bugle-widget-[name].mjs'
export const SINGLE_FILE_NAMES: readonly string[] = [
  ...SINGLE_FILES.map(({ name }) => name),
  ...PARTS.map((path) => PART_FILE.replace('[name]', basename(path, '.ts'))),
]

/**
 * Names of properties that only the SDK's own objects have, and only in memory: they get one letter in everything that is
 * published, which saves 250 bytes. Never a name that is part of the API, of a request, of what is stored, or of an
 * object of the platform; a test compares them.
 */
export const INTERNAL_NAMES: readonly string[] = [
  ...[
    'readAll',
    'readNow',
    'putNow',
    'keepIn',
    'putBack',
    'take',
    'drop',
    'ledger',
    'store',
    'core',
    'device',
  ],
  ...[
    'readDevice',
    'readContext',
    'openStore',
    'watchLife',
    'runAlone',
    'isOnline',
    'isDevelopment',
    'sdkName',
  ],
  ...[
    'later',
    'wait',
    'known',
    'soon',
    'tell',
    'abortAll',
    'retryAfter',
    'milliseconds',
    'adopted',
    'refresh',
  ],
  ...['own', 'refusedKeys', 'entry', 'stored', 'finish', 'isInFlight', 'drain', 'nudge', 'sendNow', 'sender'],
  ...[
    'configs',
    'storm',
    'capture',
    'complete',
    'blockedBy',
    'client',
    'options',
    'queue',
    'update',
    'current',
  ],
  ...['count', 'write', 'last', 'user'],
]
const LETTERS = [...'abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ_$']

/** The same letters in every file: copies of one version share their state, and the widget's parts are separate files. */
const shortenNames: Plugin = {
  name: 'shorten-names',
  renderChunk(code, { fileName }, { format }) {
    const { code: shortened, errors } = minifySync(fileName, code, {
      module: format === 'es',
      compress: false,
      mangle: false,
      mangleProps: {
        include: new RegExp(`^(?:${INTERNAL_NAMES.join('|')})$`),
        cache: Object.fromEntries(INTERNAL_NAMES.map((name, index) => [name, LETTERS[index] ?? false])),
      },
      codegen: { removeWhitespace: false },
    })
    if (errors[0]) throw new Error(`the names in ${fileName} could not be shortened: ${errors[0].message}`)
    return shortened
  },
}

const INPUT: InputOptions = {
  cwd: PACKAGE,
  platform: 'neutral',
  external: [/^node:/, 'react-native', 'vite'],
  // Importing has no side effects, so unused code is removed: most of the vocabulary.
  treeshake: { moduleSideEffects: (id) => id.includes('script-tag') },
  transform: { target: 'es2022' },
  plugins: [shortenNames],
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
  const input = Object.fromEntries(ENTRIES.map((entry) => [entry, `src/${entry}.ts`]))
  await using bundle = await rolldown({ ...INPUT, input })
  const names = { entryFileNames: '[name].js', chunkFileNames: 'shared/[name].js' }
  await bundle.write({ dir: join(folder, 'esm'), format: 'esm', ...names })
  await bundle.write({ dir: join(folder, 'cjs'), format: 'cjs', ...names })
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
  await using bundle = await rolldown({ ...INPUT, input: PARTS })
  await bundle.write({ dir: folder, format: 'esm', entryFileNames: PART_FILE, ...SMALL })
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
