/** The release of the SDK, as every report and `minSdkVersion` mean it. */
export const SDK_VERSION = '0.1.0'

/** Whether a version is older than another; what follows `-` or `+` does not count. */
export function isOlder(version: string, other: string): boolean {
  return rank(version) < rank(other)
}

function rank(version: string): string {
  return version.replace(/[-+].*/, '').replace(/\d+/g, (digits) => digits.padStart(9, '0'))
}
