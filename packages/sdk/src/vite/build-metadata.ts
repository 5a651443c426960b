import { dirname } from 'node:path'
import { parseJson } from '../core/requests.ts'
import type { DeviceFields } from '../core/types.ts'
import { readCheckout } from '../node/checkout.ts'
import { branchOf, buildNumberOf, type Environment } from '../node/ci-variables.ts'
import { findAbove, readText } from '../node/files.ts'

export type BuildMetadata = Pick<DeviceFields, 'appVersion' | 'buildNumber' | 'branch'>

/** What a build knows of itself: its package, the service that builds it, its checkout. */
export function readBuildMetadata(root: string, environment: Environment): BuildMetadata {
  const path = findAbove(root, 'package.json')
  const { version } = Object(parseJson(readText(path ?? ''))) as { readonly version?: string }
  const checkout = readCheckout(path === undefined ? root : dirname(path))
  return {
    appVersion: version,
    buildNumber: buildNumberOf(environment) ?? checkout.commit,
    branch: branchOf(environment) ?? checkout.branch,
  }
}
