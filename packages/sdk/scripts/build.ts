import { spawnSync } from 'node:child_process'
import { cpSync, globSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { type InputOptions, rolldown } from 'rolldown'

const PACKAGE = fileURLToPath(new URL('..', import.meta.url))
const TSC = fileURLToPath(import.meta.resolve('typescript/package.json')).replace('package.json', 'bin/tsc')

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
/** The files for a script tag. */
const SCRIPTS = { bugle: 'script-tag', 'bugle-with-widget': 'script-tag-with-widget' }

const INPUT: InputOptions = {
  cwd: PACKAGE,
  platform: 'neutral',
  external: [/^node:/, 'react-native', 'vite'],
  // Nothing happens on import, so what is not used is left out: the whole vocabulary but a few numbers.
  treeshake: { moduleSideEffects: (id) => id.includes('script-tag') },
  transform: { target: 'es2022' },
}

/** Builds everything that is published: modules in both kinds, their types, and the files for a script tag. */
export async function buildSdk(folder: string): Promise<void> {
  rmSync(folder, { recursive: true, force: true })
  await Promise.all([buildModules(folder), buildScripts(folder)])
  writeTypes(join(folder, 'esm'))
  for (const path of globSync('**/*.d.ts', { cwd: join(folder, 'esm') }))
    cpSync(join(folder, 'esm', path), join(folder, 'cjs', path))
  // Tells Node and TypeScript what the files below it are, whatever the package says.
  writeFileSync(join(folder, 'cjs/package.json'), '{ "type": "commonjs" }\n')
}

async function buildModules(folder: string): Promise<void> {
  const input = Object.fromEntries(ENTRIES.map((entry) => [entry, `src/${entry}.ts`]))
  await using bundle = await rolldown({ ...INPUT, input })
  const names = { entryFileNames: '[name].js', chunkFileNames: 'shared/[name].js' }
  await bundle.write({ dir: join(folder, 'esm'), format: 'esm', ...names })
  await bundle.write({ dir: join(folder, 'cjs'), format: 'cjs', ...names })
}

async function buildScripts(folder: string): Promise<void> {
  for (const [name, entry] of Object.entries(SCRIPTS)) {
    await using bundle = await rolldown({ ...INPUT, input: `src/${entry}.ts` })
    const file = join(folder, `${name}.js`)
    await bundle.write({
      file,
      format: 'iife',
      minify: true,
      comments: false,
      generatedCode: { symbols: false },
    })
  }
}

function writeTypes(folder: string): void {
  mkdirSync(folder, { recursive: true })
  const args = [TSC, '-p', join(PACKAGE, 'tsconfig.build.json'), '--outDir', folder]
  const { status, stdout, stderr } = spawnSync(process.execPath, args, { encoding: 'utf8' })
  if (status !== 0) throw new Error(`the types could not be written\n${stdout}${stderr}`)
  for (const path of globSync('**/*.d.ts', { cwd: folder })) {
    const file = join(folder, path)
    // The published modules end in .js, and TypeScript finds the types beside them.
    writeFileSync(
      file,
      readFileSync(file, 'utf8').replaceAll(/((?:from|import) ["']\.[^"']+)\.ts(["'])/g, '$1.js$2'),
    )
  }
}

if (import.meta.main) await buildSdk(join(PACKAGE, 'dist'))
