import { showToast } from '../feedback/toasts.tsx'
import { writeClipboard } from './write-clipboard.ts'

/** Copies a text to the clipboard, and shows a message. */
export async function copyText(text: string, done: string): Promise<void> {
  if (await writeClipboard(text)) showToast({ tone: 'plain', text: done })
  else
    showToast({
      tone: 'danger',
      text: 'The browser did not allow copying. Select the text and copy it manually.',
    })
}
