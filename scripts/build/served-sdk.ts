import { copyFileSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { brotliCompressSync, gzipSync } from 'node:zlib'
import { SINGLE_FILE_NAMES } from '../../packages/sdk/scripts/build.ts'
import { packPackage } from './pack-package.ts'
import { buildSdkPackage } from './sdk-package.ts'

/** The file for `npm install`. */
const TARBALL = 'bugle-sdk.tgz'

/** Builds the files at `/sdk`: the single files, also compressed, and the npm package. */
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
}

const [folder] = process.argv.slice(2)
if (import.meta.main && folder) await buildServedSdk(folder)
