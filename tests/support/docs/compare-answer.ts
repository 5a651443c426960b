/**
 * Where a response differs from a document; `undefined` if it does not. The document may show a part: omitted
 * fields and elements are ignored. Ids, times and secrets must have the same format, everything else must be
 * equal.
 */
export function findDifference(shown: unknown, answered: unknown, path = 'the answer'): string | undefined {
  if (typeof shown === 'string' && typeof answered === 'string' && isAlike(shown, answered)) return undefined
  if (!isNested(shown)) {
    if (Object.is(shown, answered)) return undefined
    return `${path} is shown as ${JSON.stringify(shown)} and is ${JSON.stringify(answered) ?? 'missing'}`
  }
  if (!isNested(answered) || Array.isArray(shown) !== Array.isArray(answered))
    return `${path} is shown as ${Array.isArray(shown) ? 'a list' : 'an object'} and is ${JSON.stringify(answered)}`
  const differences = Object.entries(shown).map(([name, value]) =>
    findDifference(value, answered[name], `${path}.${name}`),
  )
  return differences.find((difference) => difference !== undefined)
}

/** The last line of the output that is JSON. */
export function lastAnswerIn(printed: string): unknown {
  const line = printed.split('\n').findLast((text) => /^\s*[[{]/.test(text))
  return line === undefined ? undefined : JSON.parse(line)
}

/** Values that differ from run to run. */
const KINDS: readonly RegExp[] = [
  ...['iss', 'rep', 'key', 'prj', 'whk', 'req', 'whsec'].map((prefix) => new RegExp(`^${prefix}_\\S+$`)),
  /^\d{4}-\d\d-\d\dT[\d:.]+Z$/,
]

function isAlike(a: string, b: string): boolean {
  return KINDS.some((kind) => kind.test(a) && kind.test(b))
}

function isNested(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null
}
