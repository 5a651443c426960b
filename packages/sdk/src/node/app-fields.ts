import { existsSync, realpathSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { readBuildFields } from '../core/common-platform.ts'
import { parseJson } from '../core/delivery/requests.ts'
import type { DeviceFields } from '../core/types.ts'
import { readCheckout } from './checkout.ts'
import { branchOf, buildNumberOf } from './ci-variables.ts'
import { findAbove, readText } from './files.ts'

/** The fields of the app, from the bundler plugin, the build service, or the package and checkout of the script, in this order. */
export function readAppFields(): DeviceFields {
  const { env } = process
  const app = findApp()
  const checkout = readCheckout(app)
  return {
    appVersion: versionOf(app) ?? env['npm_package_version'],
    buildNumber: buildNumberOf(env) ?? checkout.commit,
    branch: branchOf(env) ?? checkout.branch,
    ...readBuildFields(),
  }
}

/** The folder of the app, not the working directory, which may be anywhere. */
function findApp(): string {
  const { resourcesPath, defaultApp } = process as {
    readonly resourcesPath?: string
    readonly defaultApp?: boolean
  }
  // A packed Electron app: its arguments are the user's, not the path of a script.
  if (resourcesPath && !defaultApp)
    return ['app.asar', 'app'].map((name) => join(resourcesPath, name)).find(existsSync) ?? resourcesPath
  const [, script] = process.argv
  return script && existsSync(script) ? realpathSync(script) : process.cwd()
}

function versionOf(path: string): string | undefined {
  const found = findAbove(path, 'package.json')
  if (found === undefined) return undefined
  const { version } = Object(parseJson(readText(found))) as { readonly version?: string }
  const folder = dirname(found)
  const parent = dirname(folder)
  // The nearest one may only declare a module type.
  return version ?? (parent === folder ? undefined : versionOf(parent))
}
