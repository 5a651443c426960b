import type { Page } from 'playwright-core'

/** Reports everything a page must not do: errors, violations of its policy, requests to other hosts. */
export async function guardPage(page: Page, url: string, complain: (text: string) => void): Promise<void> {
  page.on('console', (message) => {
    if (['error', 'warning'].includes(message.type())) complain(`${message.type()}: ${message.text()}`)
  })
  page.on('pageerror', (error) => complain(`error: ${error.stack ?? error.message}`))
  page.on('request', (request) => {
    if (!request.url().startsWith(`${url}/`)) complain(`request: ${request.url()}`)
  })
  await page.exposeFunction('complainOfPolicy', (text: string) => complain(`policy: ${text}`))
  await page.addInitScript(() => {
    document.addEventListener('securitypolicyviolation', ({ violatedDirective, blockedURI, sample }) => {
      const { complainOfPolicy } = window as unknown as { complainOfPolicy(text: string): void }
      complainOfPolicy(`${violatedDirective} ${blockedURI} ${sample}`)
    })
  })
}
