import packageJson from '../package.json' with { type: 'json' }

/** The release, as every answer says in `Bugle-Version`. */
export const VERSION = packageJson.version

/** The release of the SDK that belongs to this one. */
export const LATEST_SDK_VERSION = '0.1.0'
