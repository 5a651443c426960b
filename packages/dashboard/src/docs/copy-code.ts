import { writeClipboard } from '../ui/clipboard/write-clipboard.ts'

/** How long a button shows the result. */
const DONE_MS = 2_000

/** Gives every block of code a button that copies it. */
export function addCopyButtons(): void {
  for (const block of document.querySelectorAll('pre')) {
    const frame = document.createElement('div')
    frame.className = 'code-frame'
    block.replaceWith(frame)
    frame.append(
      block,
      createButton(() => block.textContent ?? ''),
    )
  }
}

function createButton(text: () => string): HTMLButtonElement {
  const button = document.createElement('button')
  button.type = 'button'
  button.className = 'copy'
  const say = (words: string) => {
    button.textContent = words
  }
  say('Copy')
  // Announced to screen readers when it changes.
  button.ariaLive = 'polite'
  button.addEventListener('click', async () => {
    say((await writeClipboard(text())) ? 'Copied' : 'Copying failed')
    setTimeout(say, DONE_MS, 'Copy')
  })
  return button
}
