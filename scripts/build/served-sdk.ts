import { hash } from 'node:crypto'
import { copyFileSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { brotliCompressSync, gzipSync } from 'node:zlib'
import { SINGLE_FILE_NAMES } from '../../packages/sdk/scripts/build.ts'
import { packPackage, readManifest } from './pack-package.ts'
import { buildSdkPackage } from './sdk-package.ts'

/** The file for `npm install`. */
const TARBALL = 'bugle-sdk.tgz'

/** Builds the files at `/sdk`: the single files, also compressed, the npm package, and a list of them with their hashes. */
export async function buildServedSdk(folder: string): Promise<void> {
  const unpacked = join(folder, 'package')
  const tarball = packPackage(unpacked, await buildSdkPackage(unpacked), folder)
  renameSync(join(folder, tarball), join(folder, TARBALL))
  for (const name of SINGLE_FILE_NAMES) {
    const file = join(folder, name)
    copyFileSync(join(unpacked, 'dist', name), file)
    const content = readFileSync(file)
    writeFileSync(`${file}.br`, brotliCompressSync(content))
    writeFileSync(`${file}.gz`, gzipSync(content, { level: 9 }))
  }
  rmSync(unpacked, { recursive: true })
  const contents = [TARBALL, ...SINGLE_FILE_NAMES]
    .toSorted()
    .map((name) => ({ name, content: readFileSync(join(folder, name)) }))
  writeFileSync(join(folder, 'manifest.json'), `${JSON.stringify(describeBuild(contents), null, 2)}\n`)
}

interface ServedFile {
  readonly name: string
  readonly content: Uint8Array
}

/** The name of a build changes with every file of it, so its addresses can be cached forever. */
function describeBuild(files: readonly ServedFile[]) {
  const version = String(readManifest('sdk')['version'])
  const digests = files.map(({ name, content }) => `${name} ${hash('sha256', content)}\n`)
  return {
    version,
    build: `${version}-${hash('sha256', digests.join('')).slice(0, 16)}`,
    integrity: Object.fromEntries(
      files.map(({ name, content }) => [name, `sha384-${hash('sha384', content, 'base64')}`]),
    ),
  }
}

const [folder] = process.argv.slice(2)
if (import.meta.main && folder) await buildServedSdk(folder)
