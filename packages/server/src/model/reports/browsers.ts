import type { ReportContent } from './reports.ts'

/** The product that a browser names last, because those that imitate others name themselves after them. */
const PRODUCT = /(Firefox|FxiOS|CriOS|EdgiOS|EdgA|Edg|OPR|SamsungBrowser|Chrome|Version)\/(\d+(?:\.\d+)?)/g

const NAMES: Readonly<Record<string, string>> = {
  FxiOS: 'Firefox',
  CriOS: 'Chrome',
  EdgiOS: 'Edge',
  EdgA: 'Edge',
  Edg: 'Edge',
  OPR: 'Opera',
  SamsungBrowser: 'Samsung Internet',
  Version: 'Safari',
}

/** The SDK sends the user agent as it is, because reading it here saves every page some code. */
export function withBrowser<C extends Pick<ReportContent, 'context'>>(content: C): C {
  const userAgent = content.context?.['browser']
  if (typeof userAgent !== 'string' || !userAgent.startsWith('Mozilla/')) return content
  return { ...content, context: { ...content.context, browser: readBrowser(userAgent) } }
}

/** The browser and its version, such as `Firefox 152`; the user agent itself if it names none that is known. */
export function readBrowser(userAgent: string): string {
  const products = Array.from(userAgent.matchAll(PRODUCT), ([, name = '', version = '']) => ({
    name,
    version,
  }))
  // Samsung's browser, Edge and Opera name Chrome as well, in different places.
  const own = products.findLast(({ name }) => name !== 'Chrome' && name !== 'Version') ?? products.at(-1)
  if (own === undefined) return userAgent
  return `${NAMES[own.name] ?? own.name} ${own.version.replace(/\.0$/, '')}`
}
