import { dirname } from 'node:path'
import { parseJson } from '../core/delivery/requests.ts'
import type { DeviceFields } from '../core/types.ts'
import { readCheckout } from '../node/checkout.ts'
import { branchOf, buildNumberOf, type Environment } from '../node/ci-variables.ts'
import { findAbove, readText } from '../node/files.ts'

/** What a build tells the app about itself. */
export type BuildMetadata = Pick<DeviceFields, 'appVersion' | 'buildNumber' | 'branch'>

/** As much of a Vite plugin as this is, so that the types need no Vite. */
export interface BuglePlugin {
  readonly name: 'bugle'
  configResolved(config: { readonly root: string; readonly command: string }): void
  banner(chunk: { readonly isEntry: boolean; readonly moduleIds: readonly string[] }): string
  transformIndexHtml(): { tag: string; injectTo: 'head-prepend'; children: string }[]
}

/** Puts the version, the build number and the branch into the app; what is given here wins. */
export function bugle(told: BuildMetadata = {}): BuglePlugin {
  let statement = ''
  let isServing = false
  return {
    name: 'bugle',
    configResolved({ root, command }) {
      const metadata = { ...readBuildMetadata(root, process.env), ...told }
      // The first one counts: a page may be put together of several builds.
      statement = `globalThis.__BUGLE_BUILD__ ??= ${JSON.stringify(metadata)};`
      isServing = command === 'serve'
    },
    // Also where the SDK itself is: that chunk runs before the entry that imports it.
    banner: ({ isEntry, moduleIds }) =>
      isEntry || moduleIds.some((id) => /@bugle[\\/]sdk/.test(id)) ? statement : '',
    transformIndexHtml: () =>
      isServing ? [{ tag: 'script', injectTo: 'head-prepend', children: statement }] : [],
  }
}

/** What a build knows of itself: its package, the service that builds it, its checkout. */
function readBuildMetadata(root: string, environment: Environment): BuildMetadata {
  const path = findAbove(root, 'package.json')
  const { version } = Object(parseJson(readText(path ?? ''))) as { readonly version?: string }
  const checkout = readCheckout(path === undefined ? root : dirname(path))
  return {
    appVersion: version,
    buildNumber: buildNumberOf(environment) ?? checkout.commit,
    branch: branchOf(environment) ?? checkout.branch,
  }
}
