import { existsSync } from 'node:fs'
import { arch, cpus, platform, release, version } from 'node:os'
import type { DeviceFields } from '../core/types.ts'
import { readText } from './files.ts'

const SYSTEM_NAMES: Readonly<Record<string, string>> = { darwin: 'macos', win32: 'windows' }

/** The machine and its system. */
export function readSystem(): DeviceFields {
  const { electron } = process.versions
  return {
    platform: electron ? (SYSTEM_NAMES[platform()] ?? platform()) : 'node',
    osVersion: nameSystem(),
    deviceModel: nameDevice(),
  }
}

function nameSystem(): string {
  switch (platform()) {
    case 'linux':
      return find('/etc/os-release', /^PRETTY_NAME="?(.+?)"?$/m) ?? `Linux ${release()}`
    case 'darwin': {
      const { getSystemVersion } = process as { readonly getSystemVersion?: () => string }
      const plist = '/System/Library/CoreServices/SystemVersion.plist'
      const told = getSystemVersion?.() ?? find(plist, /ProductVersion<\/key>\s*<string>(.+?)</)
      return `macOS ${told ?? `(Darwin ${release()})`}`
    }
    default:
      return `${version()} (${release()})`
  }
}

function nameDevice(): string {
  if (existsSync('/.dockerenv') || existsSync('/run/.containerenv')) return `container (${arch()})`
  const product = readText('/sys/class/dmi/id/product_name').trim()
  return product || `${cpus()[0]?.model.trim() || 'computer'} (${arch()})`
}

function find(path: string, pattern: RegExp): string | undefined {
  return pattern.exec(readText(path))?.[1]
}
