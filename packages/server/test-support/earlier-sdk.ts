import { hash } from 'node:crypto'
import { cpSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

const SERVED = fileURLToPath(new URL('../../dashboard/dist/sdk', import.meta.url))
const BUILD = '0.0.9-0123456789abcdef'

/** What is at `/sdk/manifest.json`. */
export interface SdkManifest {
  readonly version: string
  readonly build: string
  readonly integrity: Readonly<Record<string, string>>
}

/** Writes the folder that a server of an earlier release serves: the SDK, with a comment that tells its files from those of this release. */
export function writeEarlierSdk(folder: string): SdkManifest {
  const sdk = join(folder, 'sdk')
  mkdirSync(sdk, { recursive: true })
  const { integrity } = JSON.parse(readFileSync(join(SERVED, 'manifest.json'), 'utf8')) as SdkManifest
  const digests: Record<string, string> = {}
  for (const name of Object.keys(integrity)) {
    cpSync(join(SERVED, name), join(sdk, name))
    if (!name.endsWith('.tgz')) writeFileSync(join(sdk, name), '\n/* An earlier release. */\n', { flag: 'a' })
    digests[name] = `sha384-${hash('sha384', readFileSync(join(sdk, name)), 'base64')}`
  }
  const manifest = { version: '0.0.9', build: BUILD, integrity: digests }
  writeFileSync(join(sdk, 'manifest.json'), JSON.stringify(manifest))
  return manifest
}
