import { fitTexts } from './compose-report.ts'
import type { DeviceFields, InitOptions } from './types.ts'

/** The options once they are read. */
export interface Settings extends InitOptions {
  readonly device: DeviceFields
}

/** Fails with a sentence for the developer when the SDK can not work like this. */
export function readOptions(options: InitOptions): Settings {
  const { endpoint, publicKey } = options
  if (!endpoint || !/^bgl_pub_/.test(publicKey)) throw Error('init needs endpoint and publicKey')
  return { ...options, endpoint: endpoint.replace(/\/+$/, ''), device: fitTexts(options) }
}
