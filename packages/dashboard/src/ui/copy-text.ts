import { showToast } from './feedback/toasts.tsx'
import { writeClipboard } from './write-clipboard.ts'

/** Puts a text into the clipboard, and says so. */
export async function copyText(text: string, done: string): Promise<void> {
  if (await writeClipboard(text)) showToast({ tone: 'plain', text: done })
  else
    showToast({
      tone: 'danger',
      text: 'The browser does not allow this page to copy. Select the text and copy it.',
    })
}
