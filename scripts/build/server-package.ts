import { cpSync, writeFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { type Plugin, rolldown } from 'rolldown'
import { GUIDES } from '../../packages/server/src/http/pages/guides.ts'
import { buildDashboard } from '../build-dashboard.mjs'
import { licencesOf } from './licences.ts'
import { type Manifest, ROOT, readManifest } from './pack-package.ts'

const SERVER = join(ROOT, 'packages/server')
const CODE = 'packages/server/dist'
/** The command in a built package. */
export const COMMAND = `${CODE}/bugle.cjs`
const DASHBOARD = 'packages/dashboard/dist'
/** The guide that names it is served by the package. */
const MIGRATE = 'examples/migrate'
/** A font is not a module, so it is missing from the list of licences in the dashboard's build. */
const FONT_LICENCE = 'node_modules/@fontsource-variable/inter/LICENSE'

/** The command is in several files, because most of its code is only loaded when it is needed. */
const ENTRY: Entry = { input: { bugle: 'bin/bugle.js' }, codeSplitting: true }
/** A thread or process needs all of its code, and its own copy of it in any case: a single file loads fastest. */
const THREADS = [
  'storage/sqlite/threads/reader-thread',
  'storage/sqlite/threads/writer-thread',
  'storage/sqlite/threads/backup-process',
  'http/pages/rendering/render-thread',
].map((path): Entry => {
  return { input: { [basename(path)]: `src/${path}.ts` }, codeSplitting: false }
})

interface Entry {
  readonly input: Record<string, string>
  readonly codeSplitting: boolean
}

const NOT_BUNDLED = [
  // The PostgreSQL driver would use it if it were installed; it would have to be compiled.
  'pg-native',
  // Fastify loads these for its own schemas and for tests. We use neither, and their code would take memory.
  '@fastify/ajv-compiler',
  '@fastify/fast-json-stringify-compiler',
  'light-my-request',
]

/** Fastify loads these for servers of other protocols; they would take a megabyte. */
const UNUSED_BUILTINS = ['node:http2', 'node:https']
const UNUSED = '\0unused'

const withoutUnusedBuiltins: Plugin = {
  name: 'without-unused-builtins',
  resolveId: (id, importer) =>
    UNUSED_BUILTINS.includes(id) && importer?.includes('/node_modules/fastify/') ? UNUSED : null,
  load: (id) => (id === UNUSED ? 'module.exports = {}' : null),
}

/**
 * Compiles the server and its dependencies into a few files for plain Node: it starts faster than from
 * hundreds of files, with exactly the versions that were tested. The files it reads have the same relative
 * paths as in the repository.
 */
export async function buildServer(folder: string): Promise<Manifest> {
  const problem = buildDashboard(process.execPath, (text) => process.stdout.write(text))
  if (problem) throw new Error(problem)
  const modules = new Set<string>()
  for (const entry of [ENTRY, ...THREADS])
    for (const id of await compile(entry, join(folder, CODE))) modules.add(id)
  writeFileSync(join(folder, CODE, 'licences.md'), licencesOf([...modules]))
  for (const path of [DASHBOARD, 'deploy', MIGRATE, ...GUIDES.map(({ file }) => file)])
    cpSync(join(ROOT, path), join(folder, path), { recursive: true })
  cpSync(join(ROOT, FONT_LICENCE), join(folder, DASHBOARD, 'licence-of-inter.txt'))
  cpSync(join(SERVER, 'README.md'), join(folder, 'README.md'))
  return manifestOf()
}

/** Compiles an entry point and what it imports, and returns the modules of which it consists. */
async function compile({ input, codeSplitting }: Entry, folder: string): Promise<readonly string[]> {
  await using bundle = await rolldown({
    cwd: SERVER,
    input,
    platform: 'node',
    external: NOT_BUNDLED,
    plugins: [withoutUnusedBuiltins],
    transform: { target: 'node24' },
  })
  // All in one folder, because a thread's file is resolved relative to the file that starts it.
  const names = { entryFileNames: '[name].cjs', chunkFileNames: '[name].cjs' }
  const { output } = await bundle.write({
    dir: folder,
    // As ES modules, the same code takes 4 MB more memory.
    format: 'cjs',
    codeSplitting,
    ...names,
    // The process keeps its source text in memory, with two bytes per character if any character needs them. The names of functions
    // and classes stay, for the stacks of errors.
    minify: {
      compress: false,
      mangle: { toplevel: true, keepNames: true },
      codegen: { removeWhitespace: true, asciiOnly: true },
    },
    comments: false,
  })
  const chunks = output.filter((part) => part.type === 'chunk')
  for (const { fileName, code } of chunks) {
    // The text of tagged templates cannot be escaped.
    const [text] = /.{0,40}[^\0-\x7f].{0,40}/u.exec(code) ?? []
    if (text !== undefined)
      throw new Error(`${fileName} is not ASCII: ${text}. Write HTML entities in templates.`)
  }
  return chunks.flatMap(({ moduleIds }) => moduleIds)
}

function manifestOf(): Manifest {
  const { dependencies: _, ...manifest } = readManifest('server')
  return {
    ...manifest,
    bin: { bugle: `./${COMMAND}` },
    exports: { './package.json': './package.json' },
    files: ['deploy', 'docs', 'examples', 'packages', 'SECURITY.md'],
    engines: { node: '>=24.7' },
  }
}
