import { cpSync } from 'node:fs'
import { join } from 'node:path'
import { buildSdk } from '../../packages/sdk/scripts/build.ts'
import { type Manifest, ROOT, readManifest } from './pack-package.ts'

/** The SDK builds itself; only its README and licence are added. */
export async function buildSdkPackage(folder: string): Promise<Manifest> {
  await buildSdk(join(folder, 'dist'))
  for (const name of ['README.md', 'docs'])
    cpSync(join(ROOT, 'packages/sdk', name), join(folder, name), { recursive: true })
  return readManifest('sdk')
}
