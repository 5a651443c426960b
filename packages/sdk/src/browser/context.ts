import type { Values } from '../core/types.ts'

/**
 * Where a report comes from. Neither query nor fragment of the address: they may contain personal data. The server reads
 * the browser from the user agent, which is less code for every page.
 */
export function readContext(): Values {
  const { userAgent, language, onLine } = navigator
  return {
    page: location.origin + location.pathname,
    browser: userAgent,
    viewport: `${innerWidth} × ${innerHeight}`,
    language,
    timeZone: Intl.DateTimeFormat().resolvedOptions().timeZone,
    online: onLine,
  }
}
