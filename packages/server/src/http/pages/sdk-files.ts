import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { SdkBuild } from '../../model/sdk-builds.ts'
import { namesOf, type PageFile, pageFilesOf } from './dashboard-files.ts'

/** Lists the files of a build, with its id and their hashes: see `scripts/build/served-sdk.ts`. */
const MANIFEST = 'manifest.json'

/** The SDK that this server was released with. */
export interface OwnSdk {
  /** `undefined` until it is built. */
  readId(): Promise<string | undefined>
  readBuild(): Promise<SdkBuild | undefined>
}

/** Read once, when it is needed, and cached. Until it is built, each request checks again. */
export function openOwnSdk(folder: string): OwnSdk {
  let reading: Promise<SdkBuild | undefined> | undefined
  return {
    readId: () => readIdIn(folder),
    async readBuild() {
      reading ??= readBuildIn(folder)
      const build = await reading
      if (build === undefined) reading = undefined
      return build
    },
  }
}

const shown = new WeakMap<SdkBuild, ReadonlyMap<string, PageFile>>()

/** A file of a build as it is served. */
export function sdkFileOf(build: SdkBuild | undefined, name: string): PageFile | undefined {
  if (build === undefined) return undefined
  let files = shown.get(build)
  if (files === undefined) {
    files = pageFilesOf(new Map([...build.files].map(([file, content]) => [file, asBuffer(content)])))
    shown.set(build, files)
  }
  return files.get(name)
}

function asBuffer({ buffer, byteOffset, byteLength }: Uint8Array): Buffer {
  return Buffer.from(buffer, byteOffset, byteLength)
}

async function readBuildIn(folder: string): Promise<SdkBuild | undefined> {
  const id = await readIdIn(folder)
  if (id === undefined) return undefined
  const files = new Map<string, Uint8Array>()
  for (const name of await namesOf(folder)) files.set(name, await readFile(join(folder, name)))
  return { id, files }
}

async function readIdIn(folder: string): Promise<string | undefined> {
  try {
    const manifest = JSON.parse(await readFile(join(folder, MANIFEST), 'utf8')) as { readonly build: string }
    return manifest.build
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined
    throw error
  }
}
