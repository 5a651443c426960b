import { takeHeldKey } from '../ui/hold-keys.ts'
import type { Command } from './command.ts'
import { nameOfPress } from './read-keys.ts'
import { listCommands } from './registry.ts'
import { areSingleKeysOn } from './single-keys.ts'

/** How long the second key of a sequence may take. */
const SEQUENCE_MS = 1_000
/** Elements that handle keys themselves. */
const TYPING =
  'input:not([type="checkbox"], [type="radio"]), textarea, select, [contenteditable], [role="dialog"], [role="menu"], [role="listbox"]'

/** Keys that activate the focused element, and the elements that can be activated. */
const PRESSING = ['enter', 'space']
const PRESSED = 'a[href], button, summary, input'

/** Runs commands when their keys are pressed anywhere on the page. */
export function listenToKeys(): () => void {
  let prefix = ''
  let pressedAt = 0

  function onKeyDown(event: KeyboardEvent): void {
    if (event.defaultPrevented || event.isComposing || event.altKey) return
    const press = nameOfPress(event)
    const isPlain = !press.startsWith('mod+')
    if (isPlain && (isIn(event, TYPING) || !areSingleKeysOn())) return
    if (PRESSING.includes(press) && isIn(event, PRESSED)) return
    const commands = listCommands()
    const sequence = event.timeStamp - pressedAt < SEQUENCE_MS && prefix !== '' ? `${prefix} ${press}` : press
    const command = findCommand(commands, sequence) ?? findCommand(commands, press)
    prefix = commands.some(({ keys }) => keys?.startsWith(`${press} `)) ? press : ''
    pressedAt = event.timeStamp
    if (command === undefined) return
    prefix = ''
    event.preventDefault()
    command.run()
  }

  // Before any other listener: once a dialog is requested, keys belong to it.
  window.addEventListener('keydown', takeHeldKey, { capture: true })
  window.addEventListener('keydown', onKeyDown)
  return () => {
    window.removeEventListener('keydown', takeHeldKey, { capture: true })
    window.removeEventListener('keydown', onKeyDown)
  }
}

function findCommand(commands: readonly Command[], keys: string): Command | undefined {
  return commands.find((command) => command.keys === keys || command.alsoKeys === keys)
}

/** Finds the real target of the event, also inside a shadow root. */
function isIn(event: KeyboardEvent, places: string): boolean {
  const [target] = event.composedPath()
  return target instanceof Element && target.closest(places) !== null
}
