const QUOTE = 0x22
const BACKSLASH = 0x5c
const COMMA = 0x2c
const OPEN_ARRAY = 0x5b
const CLOSE_ARRAY = 0x5d
const OPEN_OBJECT = 0x7b
const CLOSE_OBJECT = 0x7d

/** What a JSON text may have, because parsed it takes up to twenty times as much memory. */
export interface JsonBounds {
  /** Levels of arrays and objects. */
  readonly maxDepth: number
  /** Arrays, objects, and values in them. */
  readonly maxValues: number
}

/** Which bound a JSON text exceeds, if any. For text that is not JSON the result is meaningless. */
export function findExcess(json: Buffer, { maxDepth, maxValues }: JsonBounds): keyof JsonBounds | undefined {
  let depth = 0
  let values = 1
  let isInString = false
  for (let index = 0; index < json.length; index++) {
    const byte = json[index]
    if (byte === QUOTE) isInString = !isInString
    else if (isInString) {
      if (byte === BACKSLASH) index++
    } else if (byte === OPEN_ARRAY || byte === OPEN_OBJECT) {
      if (++depth > maxDepth) return 'maxDepth'
      if (++values > maxValues) return 'maxValues'
    } else if (byte === COMMA) {
      if (++values > maxValues) return 'maxValues'
    } else if (byte === CLOSE_ARRAY || byte === CLOSE_OBJECT) depth--
  }
  return undefined
}
