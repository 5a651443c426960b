/** What a client prefers, by the rules of `Accept` and `Accept-Encoding` (RFC 9110, section 12). */
interface Preference {
  readonly value: string
  /** From 0, "not acceptable", to 1. */
  readonly quality: number
}

interface Match {
  readonly quality: number
  /** Whether the client named the exact type, not a range that includes it. */
  readonly isNamed: boolean
}

const QUALITY = /^(?:0(?:\.\d{0,3})?|1(?:\.0{0,3})?)$/
const NOT_ACCEPTABLE: Match = { quality: 0, isNamed: false }

/** Whether the client prefers the media type to the default. A client that names neither gets the default. */
export function prefersMedia(accept: string | undefined, type: string, usual: string): boolean {
  if (accept === undefined) return false
  const preferences = parsePreferences(accept)
  const wanted = matchMedia(preferences, type)
  const other = matchMedia(preferences, usual)
  return (
    wanted.quality > other.quality ||
    // Generated clients name every documented type, and wait for the end of the response.
    (wanted.quality === other.quality && wanted.quality > 0 && wanted.isNamed && !other.isNamed)
  )
}

/** The content coding to send, from the available ones in order of preference; `undefined` for none. */
export function chooseCoding<T extends string>(
  acceptEncoding: string | undefined,
  offered: readonly T[],
): T | undefined {
  if (acceptEncoding === undefined) return undefined
  const preferences = parsePreferences(acceptEncoding)
  const qualityOf = (coding: string) => (find(preferences, coding) ?? find(preferences, '*'))?.quality ?? 0
  // The identity coding is acceptable without being named, but any named coding is then preferred.
  const asItIs = find(preferences, 'identity')?.quality ?? 0
  const [best] = offered
    .map((coding) => ({ coding, quality: qualityOf(coding) }))
    .filter(({ quality }) => quality > 0 && quality >= asItIs)
    .sort((one, other) => other.quality - one.quality)
  return best?.coding
}

/** The most specific range that includes the type decides. */
function matchMedia(preferences: readonly Preference[], type: string): Match {
  const exact = find(preferences, type)
  if (exact !== undefined) return { quality: exact.quality, isNamed: true }
  const range = find(preferences, `${type.split('/', 1)[0]}/*`) ?? find(preferences, '*/*')
  return range === undefined ? NOT_ACCEPTABLE : { quality: range.quality, isNamed: false }
}

function find(preferences: readonly Preference[], value: string): Preference | undefined {
  return preferences.find((preference) => preference.value === value)
}

/** Parameters other than the weight are ignored; an entry with an invalid weight is dropped. */
function parsePreferences(header: string): readonly Preference[] {
  return header
    .toLowerCase()
    .split(',')
    .flatMap((entry) => {
      const [value = '', ...parameters] = entry.split(';').map((part) => part.trim())
      const weight = parameters.find((parameter) => parameter.startsWith('q='))?.slice('q='.length) ?? '1'
      return value !== '' && QUALITY.test(weight) ? [{ value, quality: Number(weight) }] : []
    })
}
