/** What could move the cursor, colour or rename things on a terminal. */
const UNPRINTABLE = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu

/** Text from strangers on a terminal: what could move the cursor, colour or rename things is shown, not obeyed. */
export function printable(text: string): string {
  return text.replaceAll(UNPRINTABLE, (char) => `\\u{${char.codePointAt(0)?.toString(16)}}`)
}

/** JSON in which the same characters are escaped; it has the same meaning. Only its own line breaks stay as they are. */
export function jsonText(value: unknown, indent?: number): string {
  return JSON.stringify(value, null, indent).replaceAll(UNPRINTABLE, (char) =>
    char === '\n' ? char : char.split('').map(escapeUnit).join(''),
  )
}

function escapeUnit(unit: string): string {
  return `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`
}
