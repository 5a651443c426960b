import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { buildClient } from './build/client-package.ts'
import { packPackage, ROOT } from './build/pack-package.ts'
import { buildSdkPackage } from './build/sdk-package.ts'
import { buildServer } from './build/server-package.ts'

/** Builds everything that is published, as tarballs in `folder`; their contents stay next to them for inspection. */
export async function buildPackages(folder: string): Promise<readonly string[]> {
  rmSync(folder, { recursive: true, force: true })
  const manifests = {
    bugle: await buildServer(join(folder, 'bugle')),
    sdk: await buildSdkPackage(join(folder, 'sdk')),
    client: await buildClient(join(folder, 'client')),
  }
  return Object.entries(manifests).map(([name, manifest]) =>
    packPackage(join(folder, name), manifest, folder),
  )
}

if (import.meta.main) {
  for (const tarball of await buildPackages(join(ROOT, 'dist'))) process.stdout.write(`dist/${tarball}\n`)
}
