import { type Fields, textOf, within } from './values.ts'

/** How SDKs name the operating systems that we know ("Contexts Interface", section "OS Context"). */
const SYSTEMS: readonly (readonly [name: RegExp, platform: string])[] = [
  [/^i(?:pad)?os$/i, 'ios'],
  [/^android$/i, 'android'],
  [/^mac ?os(?: x)?$/i, 'macos'],
  [/^windows/i, 'windows'],
  [/^tvos$/i, 'tvos'],
  [/^watchos$/i, 'watchos'],
  [/linux|^ubuntu|^debian|^alpine|^fedora/i, 'linux'],
]
/** What the platform of an event says about the language, not about the device. */
const NEUTRAL: ReadonlySet<string> = new Set(['cocoa', 'native', 'csharp', 'dart', 'other', 'c', 'objc'])
const MOBILE: ReadonlySet<string> = new Set(['ios', 'android', 'tvos', 'watchos'])
const PLATFORM = /^[a-z0-9][a-z0-9._-]{0,31}$/

/** The device's platform; for servers, the language. */
export function platformOf(event: Fields): string {
  const language = (textOf(event['platform'], 64) ?? 'other').toLowerCase()
  const system = systemOf(event)
  const sdk = textOf(within(event, 'sdk')['name'], 128) ?? ''
  if (/electron/.test(sdk)) return 'electron'
  if (system !== undefined && MOBILE.has(system))
    return language === 'javascript' && isPage(event) ? 'web' : system
  if (language === 'javascript') return 'web'
  if (system !== undefined && NEUTRAL.has(language)) return system
  return PLATFORM.test(language) && !NEUTRAL.has(language) ? language : 'other'
}

function systemOf(event: Fields): string | undefined {
  const name = textOf(within(event['contexts'], 'os')['name'], 128)
  return name === undefined ? undefined : SYSTEMS.find(([pattern]) => pattern.test(name))?.[1]
}

/** A page on a phone, not an app of React Native. */
function isPage(event: Fields): boolean {
  return within(event, 'request')['url'] !== undefined
}
