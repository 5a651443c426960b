import type { DeviceFields } from '../core/types.ts'

/** Client hints of Chromium. Empty strings mean that the value is withheld. */
export interface ClientHints {
  readonly platform?: string
  readonly platformVersion?: string
  readonly model?: string
}

export interface HintSource {
  getHighEntropyValues(hints: readonly string[]): Promise<ClientHints>
}

/** The exact system and device, if the browser provides them (Chromium, in a secure context). */
export async function readClientHints(source: HintSource): Promise<DeviceFields> {
  const { platform, platformVersion, model } = await source.getHighEntropyValues(['platformVersion', 'model'])
  const updates = parseFloat(platformVersion ?? '')
  // Windows counts its feature updates: below 1 means older than Windows 10, 13 and later means Windows 11 (specification of client hints).
  const release = ['<10', 7, 8, 8.1][updates * 10] ?? (updates < 13 ? 10 : 11)
  const version = platformVersion && platform === 'Windows' ? release : platformVersion
  return {
    ...(version && { osVersion: `${platform} ${version}` }),
    ...(model && { deviceModel: model }),
  }
}
