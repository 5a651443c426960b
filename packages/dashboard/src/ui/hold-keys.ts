/** How long keys are held for a dialog that fails to load. Then they are dropped. */
const PATIENCE_MS = 10_000

type Editable = HTMLInputElement | HTMLTextAreaElement

let held: { readonly keys: string[]; readonly cancel: () => void } | undefined
let patience: ReturnType<typeof setTimeout> | undefined

/** Call this when a dialog is requested: from now on keys belong to it, also while it is loading and has no focus yet. Escape cancels the request. */
export function holdKeys(cancel: () => void): void {
  held = { keys: held?.keys ?? [], cancel }
  clearTimeout(patience)
  patience = setTimeout(dropKeys, PATIENCE_MS)
}

/** Drops held keys, and lets keys act on the page again. */
export function dropKeys(): void {
  clearTimeout(patience)
  held = undefined
}

/** Passes the held keys to the focused element: as text to a field, otherwise as key presses. */
export async function deliverKeys(): Promise<void> {
  const keys = held?.keys ?? []
  const target = document.activeElement
  dropKeys()
  for (const key of keys) {
    if (isEditable(target)) type(target, key)
    else if (target !== null) press(target, key)
    // The next key acts on what this one has changed: React renders in between, in a microtask.
    await null
  }
}

/** Takes a key press if keys are held. Browser shortcuts are not affected. */
export function takeHeldKey(event: KeyboardEvent): void {
  if (held === undefined) return
  const isShortcut = event.ctrlKey || event.metaKey || event.altKey
  if (isShortcut && event.key.toLowerCase() !== 'k') return
  event.preventDefault()
  event.stopImmediatePropagation()
  if (event.key === 'Escape') {
    const { cancel } = held
    dropKeys()
    cancel()
  } else if (!isShortcut && !event.isComposing) {
    held.keys.push(event.key)
  }
}

function isEditable(element: Element | null): element is Editable {
  if (element instanceof HTMLTextAreaElement) return true
  return element instanceof HTMLInputElement && ['text', 'search', 'email', 'password'].includes(element.type)
}

function type(field: Editable, key: string): void {
  if (key === 'Backspace') {
    edit(field, '', Math.max(0, field.value.length - 1))
  } else if ([...key].length === 1) {
    edit(field, key, field.value.length)
  } else if (press(field, key) && key === 'Enter') {
    field.form?.requestSubmit()
  }
}

/** Puts text at the end of a field as if it had been typed. */
function edit(field: Editable, text: string, from: number): void {
  if (field.maxLength >= 0 && from + text.length > field.maxLength) return
  field.setRangeText(text, from, field.value.length, 'end')
  field.dispatchEvent(new InputEvent('input', { bubbles: true, data: text, inputType: 'insertText' }))
}

/** Returns whether the key should still be handled. */
function press(target: Element, key: string): boolean {
  return target.dispatchEvent(new KeyboardEvent('keydown', { key, bubbles: true, cancelable: true }))
}
