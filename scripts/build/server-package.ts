import { cpSync } from 'node:fs'
import { join } from 'node:path'
import { rolldown } from 'rolldown'
import { GUIDES } from '../../packages/server/src/http/pages/guides.ts'
import { buildDashboard } from '../build-dashboard.mjs'
import { type Manifest, ROOT, readManifest, withoutWorkspace } from './pack-package.ts'

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
  'reader-thread': 'src/storage/sqlite/reader-thread.ts',
  'writer-thread': 'src/storage/sqlite/writer-thread.ts',
}

/** A library of hundreds of small files, of which little is used: as part of ours, the server starts a tenth of a second sooner. */
const BUNDLED = 'typebox'

/** Compiles the server into a few files that plain Node runs. What it reads is where the repository has it, seen from them. */
export async function buildServer(folder: string): Promise<Manifest> {
  const problem = buildDashboard(process.execPath, (text) => process.stdout.write(text))
  if (problem) throw new Error(problem)
  await using bundle = await rolldown({
    cwd: SERVER,
    input: ENTRIES,
    platform: 'node',
    external: (id) => /^[a-z@]/.test(id) && !id.startsWith('@bugle/') && id !== BUNDLED,
    transform: { target: 'node24' },
  })
  // All in one folder: a thread is looked for beside the file that starts it.
  const names = { entryFileNames: '[name].js', chunkFileNames: '[name].js' }
  await bundle.write({ dir: join(folder, CODE), format: 'esm', ...names })
  for (const path of [DASHBOARD, 'deploy', MIGRATE, ...GUIDES.map(({ file }) => file)])
    cpSync(join(ROOT, path), join(folder, path), { recursive: true })
  cpSync(join(ROOT, FONT_LICENCE), join(folder, DASHBOARD, 'licence-of-inter.txt'))
  cpSync(join(ROOT, 'node_modules', BUNDLED, 'license'), join(folder, CODE, `licence-of-${BUNDLED}.txt`))
  cpSync(join(SERVER, 'README.md'), join(folder, 'README.md'))
  return manifestOf()
}

function manifestOf(): Manifest {
  const { dependencies, ...manifest } = readManifest('server')
  const { [BUNDLED]: _, ...installed } = withoutWorkspace(dependencies)
  return {
    ...manifest,
    bin: { bugle: `./${COMMAND}` },
    exports: { './package.json': './package.json' },
    files: ['deploy', 'docs', 'examples', 'packages', 'SECURITY.md'],
    engines: { node: '>=24.7' },
    dependencies: installed,
  }
}
