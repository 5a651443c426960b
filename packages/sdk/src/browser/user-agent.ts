import type { DeviceFields } from '../core/types.ts'

const SYSTEM =
  /(Windows NT|Mac OS X|Android|CrOS|OS|Linux(?!.*Android)) ?([\d._]*)(?:; ([^;)]+?)(?: Build.*)?[;)])?/

/**
 * The system and the device by the user agent. Browsers have frozen parts of it: Windows 11 says 10.0, every macOS
 * since 11 says 10.15, Chrome says Android 10 everywhere, Safari says iOS 18 since 26. Such a value is shown as `>=`,
 * never as exact. What it does not tell is empty.
 */
export function readUserAgent(agent: string, touchPoints: number): DeviceFields {
  const [, system = '', digits = '', model = ''] = SYSTEM.exec(agent) ?? []
  const version = digits.replaceAll('_', '.')
  const atLeast = `>=${version}`
  // Safari's own version is still the truth, and also that of the system.
  const [, safari = ''] = /Version\/([\d.]+)/.exec(agent) ?? []

  function describe(name: string, deviceModel: string | undefined, exact = version): DeviceFields {
    return { osVersion: `${name} ${exact}`.trim(), deviceModel }
  }

  switch (system) {
    case 'Android':
      // "K" is what Chrome calls every device; Firefox says only whether it is a phone.
      return describe(
        system,
        /^(K|Mobile|Tablet|)$/.test(model) ? system : model,
        model === 'K' ? atLeast : version,
      )
    case 'Mac OS X':
      // An iPad asks for the pages of a Mac, but no Mac has a touch screen.
      return touchPoints > 1
        ? describe('iPadOS', 'iPad', safari)
        : describe('macOS', 'Mac', /^10\.15/.test(version) ? atLeast : version)
    // "CPU iPhone OS 18_6" or "CPU OS 12_2".
    case 'OS': {
      const told = !safari && /^18\.[67]/.test(version) ? atLeast : version
      return describe('iOS', /iP\w+/.exec(agent)?.[0], parseFloat(safari) > 25 ? safari : told)
    }
    default:
      return version === '10.0'
        ? describe('Windows', 'Desktop', '>=10')
        : describe(system, system && 'Desktop')
  }
}
