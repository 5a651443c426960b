import type { Locator, Page } from 'playwright-core'

/** Waits until an open dialog or menu has the focus: it takes it after it is visible, and only then keys reach it. */
export async function waitForFocus(opened: Locator): Promise<void> {
  // What has the focus in a menu may be invisible.
  await opened.locator(':focus').waitFor({ state: 'attached' })
}

/** Presses the keys of a sequence such as `g i`. The second must follow within a second, also if the page is busy with the first. */
export async function pressSequence(page: Page, ...keys: readonly string[]): Promise<void> {
  await Promise.all(keys.map((key) => page.keyboard.press(key)))
}
