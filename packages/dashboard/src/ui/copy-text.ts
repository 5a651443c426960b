import { showToast } from './toasts.tsx'

/** Puts a text into the clipboard, and says so. */
export async function copyText(text: string, done: string): Promise<void> {
  if ((await writeText(text)) || copySelection(text)) showToast({ tone: 'plain', text: done })
  else
    showToast({
      tone: 'danger',
      text: 'The browser does not let this page copy. Select the text and copy it.',
    })
}

async function writeText(text: string): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text)
    return true
  } catch {
    return false
  }
}

/** Without https a page has no clipboard; what is selected can be copied all the same. */
function copySelection(text: string): boolean {
  const focused = document.activeElement
  const field = document.createElement('textarea')
  field.value = text
  field.className = 'visually-hidden'
  document.body.append(field)
  field.select()
  const isCopied = document.execCommand('copy')
  field.remove()
  if (focused instanceof HTMLElement) focused.focus()
  return isCopied
}
