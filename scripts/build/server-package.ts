import { cpSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { rolldown } from 'rolldown'
import { GUIDES } from '../../packages/server/src/http/pages/guides.ts'
import { buildDashboard } from '../build-dashboard.mjs'
import { licencesOf } from './licences.ts'
import { type Manifest, ROOT, readManifest } from './pack-package.ts'

const SERVER = join(ROOT, 'packages/server')
const CODE = 'packages/server/dist'
/** The command in a built package. */
export const COMMAND = `${CODE}/bugle.js`
const DASHBOARD = 'packages/dashboard/dist'
/** The guide that names it is served by the package. */
const MIGRATE = 'examples/migrate'
/** A font is no module, so the list of licences that the dashboard's build writes does not know it. */
const FONT_LICENCE = 'node_modules/@fontsource-variable/inter/LICENSE'

/** The command, and the files that become threads. */
const ENTRIES = {
  bugle: 'bin/bugle.js',
  'reader-thread': 'src/storage/sqlite/threads/reader-thread.ts',
  'writer-thread': 'src/storage/sqlite/threads/writer-thread.ts',
}

/** Would be used by PostgreSQL's driver if it were there; it has to be compiled. */
const NOT_BUNDLED = 'pg-native'

/**
 * Compiles the server and all it depends on into a few files that plain Node runs: it starts sooner than from hundreds,
 * and runs with just the versions that were tested. What it reads is where the repository has it, seen from them.
 */
export async function buildServer(folder: string): Promise<Manifest> {
  const problem = buildDashboard(process.execPath, (text) => process.stdout.write(text))
  if (problem) throw new Error(problem)
  await using bundle = await rolldown({
    cwd: SERVER,
    input: ENTRIES,
    platform: 'node',
    external: NOT_BUNDLED,
    transform: { target: 'node24' },
  })
  // All in one folder: a thread is looked for beside the file that starts it.
  const names = { entryFileNames: '[name].js', chunkFileNames: '[name].js' }
  const { output } = await bundle.write({ dir: join(folder, CODE), format: 'esm', ...names })
  const files = output.flatMap((part) => (part.type === 'chunk' ? part.moduleIds : []))
  writeFileSync(join(folder, CODE, 'licences.md'), licencesOf(files))
  for (const path of [DASHBOARD, 'deploy', MIGRATE, ...GUIDES.map(({ file }) => file)])
    cpSync(join(ROOT, path), join(folder, path), { recursive: true })
  cpSync(join(ROOT, FONT_LICENCE), join(folder, DASHBOARD, 'licence-of-inter.txt'))
  cpSync(join(SERVER, 'README.md'), join(folder, 'README.md'))
  return manifestOf()
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
