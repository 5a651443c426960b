import type { Locator, Page } from 'playwright-core'

/** The row of a list that has this text. */
export function row(page: Page, name: string): Locator {
  return page.getByRole('listitem').filter({ hasText: name })
}

/** What the dialog shows once. It is closed afterwards. */
export async function readSecret(page: Page): Promise<string> {
  const secret = await page.getByRole('dialog').locator('code').innerText()
  // A click outside does not close it.
  await page.mouse.click(2, 2)
  await page.getByRole('button', { name: 'Done' }).click()
  await page.getByRole('dialog').waitFor({ state: 'detached' })
  return secret
}
