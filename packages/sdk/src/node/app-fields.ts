import { realpathSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { readBuildFields } from '../core/build-fields.ts'
import { parseJson } from '../core/requests.ts'
import type { DeviceFields } from '../core/types.ts'
import { readCheckout } from './checkout.ts'
import { branchOf, buildNumberOf } from './ci-variables.ts'
import { findAbove, readText } from './files.ts'

/** Which app this is: what the build knew, then the service that built it, then the package and checkout of the script. */
export function readAppFields(): DeviceFields {
  const { env } = process
  const folder = appFolder()
  const checkout = readCheckout(folder)
  return {
    appVersion: versionOf(folder) ?? env['npm_package_version'],
    buildNumber: buildNumberOf(env) ?? checkout.commit,
    branch: branchOf(env) ?? checkout.branch,
    ...readBuildFields(),
  }
}

/** Where the script lives, not where it was started: that may be anywhere. */
function appFolder(): string {
  const { resourcesPath } = process as { readonly resourcesPath?: string }
  // A packed Electron app.
  if (resourcesPath && !process.argv[1]) return join(resourcesPath, 'app.asar')
  return process.argv[1] ? dirname(realpathSync(process.argv[1])) : process.cwd()
}

function versionOf(folder: string): string | undefined {
  const path = findAbove(folder, 'package.json')
  if (path === undefined) return undefined
  const { version } = Object(parseJson(readText(path))) as { readonly version?: string }
  // The nearest may only say that its folder holds modules.
  return version ?? versionOf(join(dirname(path), '..'))
}
