import packageJson from '../package.json' with { type: 'json' }

/** The release, as in the `Bugle-Version` header of every response. */
export const VERSION = packageJson.version

/** The matching release of the SDK. */
export const LATEST_SDK_VERSION = '0.1.0'
