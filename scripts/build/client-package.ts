import { cpSync, globSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { rolldown } from 'rolldown'
import { type Manifest, ROOT, readManifest, runTool, withoutWorkspace } from './pack-package.ts'

const CLIENT = join(ROOT, 'packages/client')
const TSC = fileURLToPath(import.meta.resolve('typescript/package.json')).replace('package.json', 'bin/tsc')

/** Bundles the client with the contract, and writes the types of both. */
export async function buildClient(folder: string): Promise<Manifest> {
  await using bundle = await rolldown({
    cwd: CLIENT,
    input: 'src/index.ts',
    platform: 'neutral',
    external: /^typebox/,
    transform: { target: 'es2022' },
  })
  await bundle.write({ file: join(folder, 'dist/index.js'), format: 'esm' })
  writeTypes(join(folder, 'dist'))
  cpSync(join(CLIENT, 'README.md'), join(folder, 'README.md'))
  return manifestOf()
}

function writeTypes(folder: string): void {
  const draft = join(folder, 'types')
  runTool(process.execPath, [TSC, '-p', join(CLIENT, 'tsconfig.build.json'), '--outDir', draft], CLIENT)
  for (const path of globSync('**/*.d.ts', { cwd: draft })) {
    const file = join(draft, path)
    writeFileSync(file, withPublishedPaths(readFileSync(file, 'utf8')))
  }
  for (const path of globSync('*.d.ts', { cwd: join(draft, 'client/src') }))
    renameSync(join(draft, 'client/src', path), join(folder, path))
  renameSync(join(draft, 'contract/src'), join(folder, 'contract'))
  rmSync(draft, { recursive: true })
}

/** In the package, the contract is a folder next to the client, and modules end in .js. */
function withPublishedPaths(types: string): string {
  return types
    .replaceAll(/(["'])@bugle\/contract\1/g, '$1./contract/index.js$1')
    .replaceAll(/(["']\.[^"']+)\.ts(["'])/g, '$1.js$2')
}

function manifestOf(): Manifest {
  const { dependencies } = readManifest('contract')
  return {
    ...readManifest('client'),
    sideEffects: false,
    exports: {
      '.': { types: './dist/index.d.ts', default: './dist/index.js' },
      './package.json': './package.json',
    },
    files: ['dist'],
    engines: { node: '>=20' },
    dependencies: withoutWorkspace(dependencies),
  }
}
