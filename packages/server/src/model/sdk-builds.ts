/** A build of the SDK, as the server serves it. Its files never change: the id contains a hash of them. */
export interface SdkBuild {
  /** The version of the SDK and a hash, such as `0.1.0-3f8a90c1d2e4b567`. */
  readonly id: string
  /** By name. */
  readonly files: ReadonlyMap<string, Uint8Array>
}

/** Builds that are kept, about 350 KB each. Beyond that, the oldest are removed. */
export const MAX_SDK_BUILDS = 200
