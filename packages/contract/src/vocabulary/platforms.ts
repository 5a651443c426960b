/** Values we know. The list is open: a closed one would lose the report of tomorrow's device. */
export const KNOWN_PLATFORMS = [
  'ios',
  'android',
  'web',
  'macos',
  'windows',
  'linux',
  'tvos',
  'watchos',
  'node',
  'electron',
  'other',
] as const

/** What a platform must look like once it is lower-cased. */
export const PLATFORM_PATTERN = '^[a-z0-9][a-z0-9._-]{0,31}$'
