/** Copies a text to the clipboard. Resolves to whether the browser allowed it. */
export async function writeClipboard(text: string): Promise<boolean> {
  return (await writeText(text)) || copySelection(text)
}

async function writeText(text: string): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text)
    return true
  } catch {
    return false
  }
}

/** Without https a page has no clipboard API, but it can copy the selection. */
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
