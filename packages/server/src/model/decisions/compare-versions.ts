/**
 * Compares two versions: negative if `a` is older, 0 if neither is, positive if `a` is newer. Any strings
 * can be compared and sorted, because each is parsed on its own, regardless of the form of the other.
 */
export function compareVersions(a: string, b: string): number {
  return compareRead(readVersion(a), readVersion(b))
}

/** The items with the newest version first; equal versions in alphabetical order. */
export function newestFirst<T>(items: readonly T[], versionOf: (item: T) => string): T[] {
  // Each version is parsed once, not once per comparison.
  const read = items.map((item) => ({ item, text: versionOf(item), version: readVersion(versionOf(item)) }))
  return read
    .sort((a, b) => compareRead(b.version, a.version) || compareText(a.text, b.text))
    .map(({ item }) => item)
}

function compareRead(left: Version, right: Version): number {
  return compareParts(left.release, right.release) || compareSuffixes(left.suffix, right.suffix)
}

/** The leading numbers, and the suffix. A version with a suffix is older than the same numbers without one. */
interface Version {
  readonly release: readonly string[]
  readonly suffix: Suffix | null
}

interface Suffix {
  /** The letters at its beginning, such as "beta" or "rc". */
  readonly word: string
  readonly isSemver: boolean
  readonly parts: readonly string[]
}

const SEMVER = /^[vV]?(0|[1-9][0-9]*)\.(0|[1-9][0-9]*)\.(0|[1-9][0-9]*)(?:-([0-9A-Za-z.-]+))?$/
const SEMVER_IDENTIFIER = /^(?:0|[1-9][0-9]*|[0-9]*[A-Za-z-][0-9A-Za-z-]*)$/
const LEADING_LETTERS = /^[A-Za-z]*/
const LEADING_V = /^[vV](?=[0-9])/
// Parentheses are separators too: people write version and build together as "2.4.1 (512)".
const PARTS = /[0-9]+|[^0-9._\- ()]+/g
const DIGITS = /^[0-9]+$/

function readVersion(text: string): Version {
  const [version = ''] = text.trim().split('+', 1)
  return readSemver(version) ?? readNaturally(version)
}

/** `undefined` if the version is not valid according to semver.org 2.0.0, except that a leading "v" is allowed. */
function readSemver(version: string): Version | undefined {
  const match = SEMVER.exec(version)
  if (match === null) return undefined
  const release = match.slice(1, 4)
  const preRelease = match[4]
  if (preRelease === undefined) return { release, suffix: null }

  const parts = preRelease.split('.')
  if (!parts.every((part) => SEMVER_IDENTIFIER.test(part))) return undefined
  const [word = ''] = LEADING_LETTERS.exec(preRelease) ?? []
  return { release, suffix: { word, isSemver: true, parts } }
}

function readNaturally(version: string): Version {
  const parts = version.replace(LEADING_V, '').match(PARTS) ?? []
  const end = parts.findIndex((part) => !DIGITS.test(part))
  if (end === -1) return { release: parts, suffix: null }
  const [word = '', ...rest] = parts.slice(end)
  return { release: parts.slice(0, end), suffix: { word, isSemver: false, parts: rest } }
}

// The word is compared first, so that 1.0-beta and 1.0.0-rc.1 are in the expected order. This never contradicts
// semver's own order, in which digits and hyphens come before letters.
function compareSuffixes(a: Suffix | null, b: Suffix | null): number {
  if (a === null || b === null) return Number(a === null) - Number(b === null)
  if (a.word !== b.word) return compareText(a.word, b.word)
  if (a.isSemver !== b.isSemver) return a.isSemver ? 1 : -1
  return a.isSemver ? compareIdentifiers(a.parts, b.parts) : compareParts(a.parts, b.parts)
}

/** By semver's rules: numbers come before text; if one list is a prefix of the other, the longer one comes later. */
function compareIdentifiers(a: readonly string[], b: readonly string[]): number {
  for (const [index, left] of a.entries()) {
    const right = b[index]
    if (right === undefined) return 1
    const order = Number(DIGITS.test(right)) - Number(DIGITS.test(left)) || compareAlike(left, right)
    if (order !== 0) return order
  }
  return a.length - b.length
}

/** In natural order: text comes before numbers (1.0.b is before 1.0.0), and missing parts count as 0. */
function compareParts(a: readonly string[], b: readonly string[]): number {
  for (let index = 0; index < Math.max(a.length, b.length); index++) {
    const left = a[index] ?? '0'
    const right = b[index] ?? '0'
    const order = Number(DIGITS.test(left)) - Number(DIGITS.test(right)) || compareAlike(left, right)
    if (order !== 0) return order
  }
  return 0
}

/** Compares two numbers, or two texts. */
function compareAlike(a: string, b: string): number {
  return DIGITS.test(a) ? compareNumbers(a, b) : compareText(a, b)
}

// As text, because a number in untrusted input may have more digits than a double can represent.
function compareNumbers(a: string, b: string): number {
  const left = a.replace(/^0+/, '')
  const right = b.replace(/^0+/, '')
  return left.length - right.length || compareText(left, right)
}

function compareText(a: string, b: string): number {
  return a === b ? 0 : a < b ? -1 : 1
}
