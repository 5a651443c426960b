/** `public` may be part of an app: it submits reports and reads the SDK configuration. `secret` has scopes. */
export const KEY_KINDS = ['public', 'secret'] as const
export type KeyKind = (typeof KEY_KINDS)[number]

export const KEY_PREFIXES: Readonly<Record<KeyKind, string>> = { public: 'bgl_pub_', secret: 'bgl_sec_' }
/** Personal access tokens: keys of a person, with some of the person's rights. */
export const ACCESS_TOKEN_PREFIX = 'bgl_pat_'
export const KEY_RANDOM_CHARS = 30
export const KEY_CHECKSUM_CHARS = 6
