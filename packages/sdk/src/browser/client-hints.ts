import type { DeviceFields } from '../core/types.ts'

/** What Chromium tells a page that asks. Empty texts mean that it does not want to. */
export interface ClientHints {
  readonly platform?: string
  readonly platformVersion?: string
  readonly model?: string
}

export interface HintSource {
  getHighEntropyValues(hints: readonly string[]): Promise<ClientHints>
}

/** The exact system and device, where the browser gives them (Chromium, in a secure context). */
export async function readClientHints(source: HintSource): Promise<DeviceFields> {
  const { platform, platformVersion, model } = await source.getHighEntropyValues(['platformVersion', 'model'])
  // Windows counts its feature updates: from 13 on it is Windows 11 (Microsoft's table for client hints).
  const version =
    platform === 'Windows' && platformVersion ? (parseFloat(platformVersion) < 13 ? 10 : 11) : platformVersion
  return {
    ...(version && { osVersion: `${platform} ${version}` }),
    ...(model && { deviceModel: model }),
  }
}
