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
