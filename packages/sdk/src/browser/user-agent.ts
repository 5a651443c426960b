import type { DeviceFields } from '../core/types.ts'

/** The last operating system in the user agent, its version and what follows: Tizen, HarmonyOS and KaiOS may name Linux or Android first. */
const SYSTEM =
  /.*(Windows NT|Mac OS X(?= )|Tizen|Web0S|CrOS|KAIOS|Harmony|PlayStation \w|Android|Linux(?!\/)|\bOS(?= \d))(?:OS)?[ /]?([\d._]*)(?:; ([^;)]+?)(?: Build.*)?[;)])?/
/** Devices whose name is in another position; on a KaiOS phone it starts with `Mobile`. */
const DEVICE = /iP\w+|Xbox [^;)]+|TV|Mobile; (?!rv)([^;)]+)/
const NAMES: Readonly<Record<string, string>> = { KAIOS: 'KaiOS', Web0S: 'webOS', Harmony: 'HarmonyOS' }

/**
 * The operating system and the device, from the user agent. Browsers have frozen parts of it: Windows 11
 * appears as 10.0, every macOS since 11 as 10.15, every Android in Chrome as 10, and every iOS since 26 in
 * Safari as 18. Such a value is shown as `>=`,
 * never as exact. Unknown values are empty.
 */
export function readUserAgent(agent: string, touchPoints: number): DeviceFields {
  const [, system = '', digits = '', model = ''] = SYSTEM.exec(agent) ?? []
  const [device, mobile = device] = DEVICE.exec(agent) ?? []
  const version = digits.replaceAll('_', '.')
  const atLeast = `>=${version}`
  // Safari's own version is accurate, and equals that of the system.
  const [, safari = ''] = /Version\/([\d.]+)/.exec(agent) ?? []

  function describe(name: string, fallback: string, exact = version): DeviceFields {
    return { osVersion: `${name} ${exact}`.trim(), deviceModel: mobile ?? fallback }
  }

  switch (system) {
    case 'Mac OS X':
      // Since version 13, an iPad identifies as a Mac, but no Mac has a touch screen. Chrome then claims to be Safari 11.
      return touchPoints > 1
        ? describe('iPadOS', 'iPad', parseFloat(safari) > 12 ? safari : '>=13')
        : describe('macOS', 'Mac', /^10\.15/.test(version) ? atLeast : version)
    // "CPU iPhone OS 18_6" or "CPU OS 12_2".
    case 'OS': {
      const told = !safari && /^18\.[67]/.test(version) ? atLeast : version
      const name = device === 'iPad' && !/^1[0-2]/.test(version) ? 'iPadOS' : 'iOS'
      return describe(name, '', parseFloat(safari) > 25 ? safari : told)
    }
    case 'Windows NT':
    case 'Linux':
    case 'CrOS':
      return version === '10.0' ? describe('Windows', 'Desktop', '>=10') : describe(system, 'Desktop')
    default: {
      const name = NAMES[system] ?? system
      // Chrome calls every Android device "K"; Firefox reveals only whether it is a phone.
      return describe(
        name,
        /^(K|Mobile|Tablet|)$/.test(model) ? name : model,
        model === 'K' ? atLeast : version,
      )
    }
  }
}
