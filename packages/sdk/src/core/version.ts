/** The release of the SDK, as used in reports and `minSdkVersion`. */
export const SDK_VERSION = '0.1.0'

/** Whether a version is older than another; anything after `-` or `+` is ignored. */
export function isOlder(version: string, other: string): boolean {
  return rank(version) < rank(other)
}

function rank(version: string): string {
  return version.replace(/[-+].*/, '').replace(/\d+/g, (digits) => digits.padStart(9, '0'))
}
