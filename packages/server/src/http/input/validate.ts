import {
  CURSOR_PATTERN,
  EMAIL_PATTERN,
  type Fault,
  Issue,
  IssueSubmission,
  MAX_LISTED_FAULTS,
  WEBHOOK_URL_PATTERN,
} from '@bugle/contract'
import { Ajv2020, type ErrorObject, type ValidateFunction } from 'ajv/dist/2020.js'
import type { TSchema } from 'typebox'
import { invalidCursor } from '../../domain/cursors.ts'
import { DomainError } from '../../domain/domain-error.ts'
import { nearestName } from '../../nearest-name.ts'
import { cutValue } from './cut-value.ts'
import { normaliseText } from './normalise-text.ts'
import { isStorableTimestamp, isTimestamp } from './timestamps.ts'

/** Two validators: for most requests, it is enough to know whether a value is valid. */
interface Checker {
  /** Stops at the first fault. */
  readonly quick: () => Ajv2020
  /** Finds every fault. Each fault takes time, so it is used only for values that were cut. */
  readonly thorough: () => Ajv2020
  /** The fields that may contain NUL. */
  readonly nulAllowed: readonly string[]
}

function createChecker(isTime: (text: string) => boolean, nulAllowed: readonly string[] = []): Checker {
  const createAjv = (allErrors: boolean) => {
    const ajv = new Ajv2020({
      allErrors,
      verbose: true,
      strict: true,
      allowUnionTypes: true,
      // The contract's schemas are validated by tests; doing it again here would slow down every start.
      validateSchema: false,
      meta: false,
    })
    ajv.addFormat('date-time', isTime)
    ajv.addFormat('uri-reference', true)
    return ajv
  }
  return { quick: once(() => createAjv(false)), thorough: once(() => createAjv(true)), nulAllowed }
}

/** Times in a body are stored and shown; times in a query are only used for comparison. */
const bodies = createChecker(isStorableTimestamp)
/** A search is never a syntax error: NUL separates words. A cursor with NUL is as invalid as any malformed cursor. */
const queries = createChecker(isTimestamp, ['q', 'cursor'])

/** Returns the value with its text normalised, or throws an error that lists its faults. */
export type Check<T> = (value: unknown) => T

export function checkBody<T>(schema: TSchema): Check<T> {
  return check<T>(bodies, schema, (errors) => {
    return new DomainError('validation-failed', {
      detail: countOf(errors.length, 'field is', 'fields are'),
      faults: errors.map((error) => ({ pointer: `#${placeOf(error)}`, ...wordsFor(error) })),
    })
  })
}

export function checkQuery<T>(schema: TSchema): Check<T> {
  return check<T>(queries, schema, (errors) => {
    if (errors.every(isMisspeltCursor)) return invalidCursor()
    return new DomainError('invalid-parameter', {
      detail: countOf(errors.length, 'parameter is', 'parameters are'),
      faults: errors.map((error) => ({ parameter: parameterOf(placeOf(error)), ...wordsFor(error) })),
    })
  })
}

function check<T>(
  { quick, thorough, nulAllowed }: Checker,
  schema: TSchema,
  refusal: (errors: readonly ErrorObject[]) => DomainError,
): Check<T> {
  // Compiled when first needed: most endpoints are not called in the server's first second.
  const validator = once(() => quick().compile<T>(schema))
  const faultFinder = once(() => thorough().compile(schema))
  return (value) => {
    const validate = validator()
    if (validate(value)) {
      const nuls = nulErrors(value, nulAllowed)
      if (nuls.length === 0) return value
      throw refusal(nuls)
    }
    const cut = cutValue(value, schema)
    const findFaults = faultFinder()
    const errors = errorsOf(findFaults(cut) ? validate : findFaults)
    throw refusal(withNuls(errors, nulErrors(cut, nulAllowed)))
  }
}

/** Any invalid cursor gets the same error code, so that clients know to restart the list. */
function isMisspeltCursor({ keyword, params }: ErrorObject): boolean {
  return keyword === 'pattern' && params['pattern'] === CURSOR_PATTERN
}

function once<T>(create: () => T): () => T {
  let created: { readonly value: T } | undefined
  return () => {
    created ??= { value: create() }
    return created.value
  }
}

/** At most as many errors as a response lists. */
function errorsOf(validate: ValidateFunction): readonly ErrorObject[] {
  // An invalid name is reported twice, inside and outside `propertyNames`; once is enough.
  return (validate.errors ?? [])
    .filter((error) => error.propertyName === undefined && !isEmptyTwice(error, validate))
    .slice(0, MAX_LISTED_FAULTS)
}

/** Neither database can store NUL, so it is refused everywhere, whatever the schema allows. */
function nulErrors(value: unknown, allowed: readonly string[]): readonly ErrorObject[] {
  return normaliseText(value, MAX_LISTED_FAULTS)
    .filter(([parameter = '']) => !allowed.includes(parameter))
    .map((place) => ({
      keyword: 'nul',
      instancePath: `/${place.map(escapePointer).join('/')}`,
      schemaPath: '',
      params: {},
    }))
}

/** Most patterns forbid NUL too, so that the OpenAPI document shows it; a response mentions it once. */
function withNuls(errors: readonly ErrorObject[], nuls: readonly ErrorObject[]): readonly ErrorObject[] {
  const isForNul = ({ keyword, instancePath }: ErrorObject) =>
    keyword === 'pattern' && nuls.some((nul) => nul.instancePath === instancePath)
  return [...nuls, ...errors.filter((error) => !isForNul(error))].slice(0, MAX_LISTED_FAULTS)
}

/** Empty text is reported as too short, not also as blank. */
function isEmptyTwice({ keyword, data, instancePath }: ErrorObject, { errors }: ValidateFunction): boolean {
  if (keyword !== 'pattern' || data !== '') return false
  return (
    errors?.some((other) => other.keyword === 'minLength' && other.instancePath === instancePath) ?? false
  )
}

/** The location of the invalid field. For a missing or unknown field, this is its own location, not its parent's. */
function placeOf({ instancePath, params }: ErrorObject): string {
  const member: unknown = params['missingProperty'] ?? params['additionalProperty'] ?? params['propertyName']
  return typeof member === 'string' ? `${instancePath}/${escapePointer(member)}` : instancePath
}

/** The name of the invalid field. For a value in a list, the name of the list, because its own name is a number. */
function nameOf(error: ErrorObject): string {
  const place = placeOf(error)
  if (place === '') return 'The body'
  if (!isListValue(error)) return lastPartOf(place)
  return `Each value of ${lastPartOf(place.slice(0, place.lastIndexOf('/')))}`
}

function isListValue({ schemaPath, instancePath }: ErrorObject): boolean {
  return /\/items\/\w+$/.test(schemaPath) && /\/\d+$/.test(instancePath)
}

function wordsFor(error: ErrorObject): Pick<Fault, 'code' | 'detail'> {
  const name = nameOf(error)
  const { params, data } = error
  switch (error.keyword) {
    case 'required':
      return { code: 'required', detail: `${name} is required.` }
    case 'additionalProperties':
      return unknownMember(String(params['additionalProperty']), error)
    case 'propertyNames':
      return {
        code: 'name',
        detail: `${name} is not a valid field name: 1 to 64 characters, no NUL, not __proto__.`,
      }
    case 'type':
      return { code: 'type', detail: `${name} must be ${typeWords(params['type'])}.` }
    case 'enum':
      return { code: 'choice', detail: `${name} must be one of: ${choicesOf(params['allowedValues'])}.` }
    case 'minLength':
      return { code: 'too-short', detail: `${name} must ${lengthWords(Number(params['limit']))}.` }
    case 'maxLength':
      return { code: 'too-long', detail: `${name} must have at most ${params['limit']} characters.` }
    case 'maxProperties':
      return { code: 'too-many', detail: `${name} must have at most ${params['limit']} fields.` }
    case 'minItems':
      return { code: 'too-few', detail: `${name} must have at least ${params['limit']} entry.` }
    case 'uniqueItems':
      return { code: 'repeated', detail: `${name} must not have the same entry twice.` }
    case 'minimum':
      return { code: 'too-small', detail: `${name} must be at least ${params['limit']}.` }
    case 'maximum':
      return { code: 'too-large', detail: `${name} must be at most ${params['limit']}.` }
    case 'format':
      return { code: 'format', detail: `${name} must be ${timeWords(String(data))}.` }
    case 'nul':
      return { code: 'nul', detail: `${name} must not contain the character NUL (U+0000).` }
    case 'pattern':
      return patternWords(name, String(data), String(params['pattern']))
    default:
      return { code: error.keyword, detail: `${name} ${error.message ?? 'is not valid'}.` }
  }
}

function timeWords(value: string): string {
  return isTimestamp(value)
    ? 'in a year from 1970 to 9999, in UTC'
    : 'a time as in 2026-11-15T09:30:00Z (RFC 3339)'
}

function lengthWords(least: number): string {
  return least === 1 ? 'not be empty' : `have at least ${least} characters`
}

function patternWords(name: string, value: string, pattern: string): Pick<Fault, 'code' | 'detail'> {
  if (value.trim() === '') return { code: 'blank', detail: `${name} must not be only white space.` }
  if (pattern === EMAIL_PATTERN)
    return { code: 'email', detail: `${name} must be an email address, as in ada@example.com.` }
  if (pattern === WEBHOOK_URL_PATTERN)
    return { code: 'destination', detail: `${name} must be a URL that starts with https://.` }
  return { code: 'pattern', detail: `${name} must match ${pattern}.` }
}

const SERVER_OWNED = new Set(
  Object.keys(Issue.properties).filter((name) => !(name in IssueSubmission.properties)),
)

function unknownMember(
  name: string,
  { parentSchema, instancePath }: ErrorObject,
): Pick<Fault, 'code' | 'detail'> {
  if (instancePath === '' && SERVER_OWNED.has(name)) {
    return { code: 'server-owned', detail: `${name} is set by the server and must be omitted.` }
  }
  if (name === 'publicKey') {
    return {
      code: 'unknown',
      detail: 'publicKey is read only from a text/plain body. Send the key as "Authorization: Bearer <key>".',
    }
  }
  const nearest = nearestName(name, Object.keys(parentSchema?.['properties'] ?? {}))
  const hint = nearest === undefined ? '' : ` Did you mean ${nearest}?`
  return { code: 'unknown', detail: `${shorten(name)} is unknown.${hint}` }
}

function typeWords(type: unknown): string {
  const types = (Array.isArray(type) ? type : String(type).split(',')).filter((one) => one !== 'null')
  return types.map((one) => (/^[aio]/.test(one) ? `an ${one}` : `a ${one}`)).join(' or ')
}

function choicesOf(values: unknown): string {
  return Array.isArray(values) ? values.filter((value) => value !== null).join(', ') : ''
}

function lastPartOf(place: string): string {
  return shorten(place.slice(place.lastIndexOf('/') + 1))
}

function parameterOf(place: string): string {
  return place.split('/')[1] ?? ''
}

const MAX_NAME_CHARS = 64

function shorten(name: string): string {
  return name.length > MAX_NAME_CHARS ? `${name.slice(0, MAX_NAME_CHARS)}…` : name
}

function escapePointer(name: string): string {
  return shorten(name).replaceAll('~', '~0').replaceAll('/', '~1')
}

function countOf(count: number, one: string, many: string): string {
  if (count === MAX_LISTED_FAULTS)
    return `At least ${count} ${many} not valid. The first ${count} are listed.`
  return `${count} ${count === 1 ? one : many} not valid.`
}
