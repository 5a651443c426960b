import type { SdkBuild } from '../../model/sdk-builds.ts'

/** The builds of the SDK that the servers on this database have served. */
export interface SdkBuildStorage {
  /** Stores a build, unless it is stored already. Removes the oldest ones beyond `MAX_SDK_BUILDS`. */
  keep(build: SdkBuild, at: number): Promise<void>
  /** The ids of all builds. */
  list(): Promise<readonly string[]>
  find(id: string): Promise<SdkBuild | undefined>
}
