import type { FixedIn } from '@bugle/contract'

/** `2.4.1 (512)`. */
export function formatRelease({ appVersion, buildNumber }: FixedIn): string {
  return buildNumber === null ? appVersion : `${appVersion} (${buildNumber})`
}
