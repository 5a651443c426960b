const BROWSERS = [
  { name: 'Edge', pattern: /\bEdg(?:e|A|iOS)?\// },
  { name: 'Opera', pattern: /\bOPR\// },
  { name: 'Firefox', pattern: /\b(?:Firefox|FxiOS)\// },
  { name: 'Chrome', pattern: /\b(?:Chrome|CriOS|HeadlessChrome)\// },
  { name: 'Safari', pattern: /\bSafari\// },
] as const
const SYSTEMS = [
  { name: 'iPhone', pattern: /\biPhone\b/ },
  { name: 'iPad', pattern: /\biPad\b/ },
  { name: 'Android', pattern: /\bAndroid\b/ },
  { name: 'macOS', pattern: /\bMac OS X\b/ },
  { name: 'Windows', pattern: /\bWindows\b/ },
  { name: 'Linux', pattern: /\bLinux\b/ },
] as const
const MAX_SHOWN_CHARS = 60

/** The common name of a browser, from its user agent. The order matters, because most also claim to be another browser. */
export function nameBrowser(userAgent: string | null): string {
  if (userAgent === null) return 'Unknown browser'
  const browser = BROWSERS.find(({ pattern }) => pattern.test(userAgent))
  const system = SYSTEMS.find(({ pattern }) => pattern.test(userAgent))
  if (browser === undefined) return userAgent.slice(0, MAX_SHOWN_CHARS)
  return system === undefined ? browser.name : `${browser.name} on ${system.name}`
}
