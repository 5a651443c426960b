import { dirname } from 'node:path'
import { parseJson } from '../core/delivery/requests.ts'
import type { DeviceFields } from '../core/types.ts'
import { readCheckout } from '../node/checkout.ts'
import { branchOf, buildNumberOf, type Environment } from '../node/ci-variables.ts'
import { findAbove, readText } from '../node/files.ts'

/** The build information for the app. */
export type BuildMetadata = Pick<DeviceFields, 'appVersion' | 'buildNumber' | 'branch'>

/** The part of a Vite plugin that is used, so that the types do not need Vite. */
export interface BuglePlugin {
  readonly name: 'bugle'
  configResolved(config: { readonly root: string; readonly command: string }): void
  banner(chunk: { readonly isEntry: boolean; readonly moduleIds: readonly string[] }): string
  transformIndexHtml(): { tag: string; injectTo: 'head-prepend'; children: string }[]
}

/** Adds the version, the build number and the branch to the app; values given here take precedence. */
export function bugle(told: BuildMetadata = {}): BuglePlugin {
  let statement = ''
  let isServing = false
  return {
    name: 'bugle',
    configResolved({ root, command }) {
      const metadata = { ...readBuildMetadata(root, process.env), ...told }
      // The first one wins, because a page may combine several builds.
      statement = `globalThis.__BUGLE_BUILD__ ??= ${JSON.stringify(metadata)};`
      isServing = command === 'serve'
    },
    // Also in the chunk of the SDK, which runs before the entry that imports it.
    banner: ({ isEntry, moduleIds }) =>
      isEntry || moduleIds.some((id) => /@bugle[\\/]sdk/.test(id)) ? statement : '',
    transformIndexHtml: () =>
      isServing ? [{ tag: 'script', injectTo: 'head-prepend', children: statement }] : [],
  }
}

/** The build information, from the package, the build service and the checkout. */
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
