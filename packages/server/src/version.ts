import packageJson from '../package.json' with { type: 'json' }

/** The release, as every answer says in `Bugle-Version`. */
export const VERSION = packageJson.version
