/** Known values. The list is open: a closed one would reject reports from future devices. */
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
