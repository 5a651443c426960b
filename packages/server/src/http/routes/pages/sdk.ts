import type { FastifyInstance } from 'fastify'
import type { SdkBuilds } from '../../../domain/projects/sdk-builds.ts'
import { type OwnSdk, sdkFileOf } from '../../pages/sdk-files.ts'
import { sendFile } from './dashboard.ts'

/** The SDK of this release. Its addresses stay the same when the server is upgraded. */
export const SDK_PATH = '/sdk/:name'
/** A certain build, of this or an earlier release. What is at its addresses never changes. */
export const SDK_BUILD_PATH = '/sdk/:build/:name'

/** Pages of every origin may load it. */
const SHARED = { 'access-control-allow-origin': '*', 'cross-origin-resource-policy': 'cross-origin' }
const SDK_HEADERS = { ...SHARED, 'cache-control': 'public, max-age=3600' }
const BUILD_HEADERS = { ...SHARED, 'cache-control': 'public, max-age=31536000, immutable' }

interface SdkDependencies {
  readonly ownSdk: OwnSdk
  readonly sdkBuilds: SdkBuilds
}

/** Serves the SDK: what is in the package of the server, and what servers on this database have served before. */
export function bindSdk(app: FastifyInstance, { ownSdk, sdkBuilds }: SdkDependencies): void {
  app.get<{ Params: { name: string } }>(SDK_PATH, async (request, reply) => {
    const file = sdkFileOf(await ownSdk.readBuild(), request.params.name)
    return file === undefined ? reply.callNotFound() : sendFile(request, reply.headers(SDK_HEADERS), file)
  })
  app.get<{ Params: { build: string; name: string } }>(SDK_BUILD_PATH, async (request, reply) => {
    const { build, name } = request.params
    const own = await ownSdk.readBuild()
    const file = sdkFileOf(own?.id === build ? own : await sdkBuilds.find(build), name)
    return file === undefined ? reply.callNotFound() : sendFile(request, reply.headers(BUILD_HEADERS), file)
  })
}
