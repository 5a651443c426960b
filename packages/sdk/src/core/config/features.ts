import { isInShare, isTargeted } from '@bugle/contract/vocabulary'
import type { DeviceFields, RemoteConfig } from '../types.ts'

/** The features that an installation gets: those for everyone, and those whose limit includes it. */
export function featuresOf(
  { features, limitedFeatures }: RemoteConfig,
  device: DeviceFields,
  draw: number,
): RemoteConfig['features'] {
  const reached: Record<string, RemoteConfig['features'][string]> = { ...features }
  for (const [name, limited] of Object.entries(Object(limitedFeatures) as typeof limitedFeatures & object)) {
    if (isTargeted(limited, device) && isInShare(name, limited.share, draw)) reached[name] = limited.value
  }
  return reached
}
