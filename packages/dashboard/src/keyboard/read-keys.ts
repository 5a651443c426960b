/** The name of a key press in `Command.keys`: `a`, `?`, `shift+x`, `mod+k`, `escape`, `enter`. */
export function nameOfPress({ key, shiftKey, ctrlKey, metaKey }: KeyPress): string {
  // Uses the typed character, not the key's position: `?` and `/` are in different places on every layout.
  const name = key === ' ' ? 'space' : key.toLowerCase()
  const isLetter = /^\p{L}$/u.test(key)
  const isNamed = [...key].length > 1
  return [(ctrlKey || metaKey) && 'mod', shiftKey && (isLetter || isNamed) && 'shift', name]
    .filter((part) => part !== false)
    .join('+')
}

export interface KeyPress {
  readonly key: string
  readonly shiftKey: boolean
  readonly ctrlKey: boolean
  readonly metaKey: boolean
}

const SYMBOLS: Readonly<Record<string, string>> = {
  enter: '↵',
  escape: 'Esc',
  arrowup: '↑',
  arrowdown: '↓',
  home: 'Home',
  end: 'End',
  space: 'Space',
}

/** The keys as they are shown: a list of presses, each a list of caps. */
export function capsOf(keys: string, isMac: boolean): readonly (readonly string[])[] {
  return keys.split(' ').map((press) =>
    press.split('+').map((part) => {
      if (part === 'mod') return isMac ? '⌘' : 'Ctrl'
      if (part === 'shift') return isMac ? '⇧' : 'Shift'
      return SYMBOLS[part] ?? part.toUpperCase()
    }),
  )
}
