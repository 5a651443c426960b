import { cpSync, mkdirSync, symlinkSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { buildSdk } from '../../../packages/sdk/scripts/build.ts'
import { temporaryFolder } from '../../../packages/server/test-support/temporary-folder.ts'

const PACKAGE = fileURLToPath(new URL('../../../packages/sdk', import.meta.url))
const MODULES = fileURLToPath(new URL('../../../node_modules', import.meta.url))

/** A folder with the SDK, freshly built, installed in its `node_modules`: as an app has it. */
export interface BuiltPackage extends Disposable {
  /** Where the app is. */
  readonly path: string
  /** Where the SDK is. */
  readonly sdk: string
  /** Makes another package of the workspace usable for the app. */
  lend(name: string): void
}

export async function buildPackage(): Promise<BuiltPackage> {
  const folder = temporaryFolder()
  const sdk = join(folder.path, 'node_modules/@bugle/sdk')
  mkdirSync(sdk, { recursive: true })
  for (const file of ['package.json', 'README.md']) cpSync(join(PACKAGE, file), join(sdk, file))
  await buildSdk(join(sdk, 'dist'))
  return {
    path: folder.path,
    sdk,
    lend(name) {
      const link = join(folder.path, 'node_modules', name)
      mkdirSync(dirname(link), { recursive: true })
      symlinkSync(join(MODULES, name), link)
    },
    [Symbol.dispose]: () => folder[Symbol.dispose](),
  }
}
