import type { DeviceFields } from '../core/types.ts'

const SYSTEM = /(Windows NT|Mac OS X|Android|CrOS|OS|Linux(?!.*Android)) ?([\d._]*)(?:; ([^;)]+)[;)])?/

/**
 * The system and the device by the user agent. Browsers have frozen parts of it: Windows 11 says 10.0, every macOS
 * since 11 says 10.15, Chrome says Android 10 everywhere, Safari says iOS 18 since 26. Such a value is shown as `>=`,
 * never as exact.
 */
export function readUserAgent(agent: string, touchPoints: number): DeviceFields {
  const [, system = '', digits = '', model = ''] = SYSTEM.exec(agent) ?? []
  const version = digits.replaceAll('_', '.')
  // Safari's own version is still the truth, and also that of the system.
  const [, safari = ''] = /Version\/([\d.]+)/.exec(agent) ?? []

  function describe(
    name: string,
    deviceModel: string | undefined,
    isFrozen?: boolean,
    exact = version,
  ): DeviceFields {
    return { osVersion: `${name} ${isFrozen ? '>=' : ''}${exact}`.trim(), deviceModel }
  }

  switch (system) {
    case '':
      return {}
    case 'Android':
      // "K" is what Chrome calls every device; Firefox says only whether it is a phone.
      return describe(system, /^(K|Mobile|Tablet|)$/.test(model) ? system : model, model === 'K')
    case 'Mac OS X':
      // An iPad asks for the pages of a Mac, but no Mac has a touch screen.
      return touchPoints > 1
        ? describe('iPadOS', 'iPad', false, safari)
        : describe('macOS', 'Mac', /^10\.15/.test(version))
    // "CPU iPhone OS 18_6" or "CPU OS 12_2".
    case 'OS': {
      const isFrozen = !safari && /^18\.[67]/.test(version)
      return describe('iOS', /iP\w+/.exec(agent)?.[0], isFrozen, parseFloat(safari) > 25 ? safari : version)
    }
    default:
      return version === '10.0' ? describe('Windows', 'Desktop', true, '10') : describe(system, 'Desktop')
  }
}
