import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js'
import type { TSchema } from 'typebox'
import { ID_PREFIXES, isId } from '../model/ids.ts'
import { isPasswordHash } from '../model/people/password-hashes.ts'
import { LINE_KINDS, LINES, type LineKind, type TransferLine } from '../model/transfer/lines.ts'
import { BytesLine, FORMAT_VERSION, Header, LostLine, Trailer } from './file-format.ts'
import { refusedAt } from './file-refused.ts'
import type { FileLine } from './read-lines.ts'

export const NOT_AN_EXPORT = 'this is not a Bugle export. "bugle export FILE" creates one.'

const ajv = new Ajv2020({ strict: true, allowUnionTypes: true })
ajv.addFormat('password-hash', isPasswordHash)
for (const prefix of ID_PREFIXES) ajv.addFormat(`${prefix}-id`, (text) => isId(prefix, text))

const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })
const checks = new Map<TSchema, ValidateFunction>()

/** Validates a line of any kind. */
export function checkLine(file: FileLine): TransferLine | BytesLine | LostLine | Trailer {
  const value = parse(file)
  const kind = kindOf(value)
  if (kind === 'trailer') return check<Trailer>(Trailer, value, file)
  if (kind === 'bytes') return check<BytesLine>(BytesLine, value, file)
  if (kind === 'fileLost') return check<LostLine>(LostLine, value, file)
  if (!isLineKind(kind)) throw refusedAt(file.number, NOT_AN_EXPORT)
  const { record, ...said } = value as { readonly record: LineKind }
  return { record, ...check<object>(LINES[kind], said, file) } as TransferLine
}

/** The first line shows whether this release can read the others. */
export function checkHeader(file: FileLine): Header {
  const header = parse(file)
  if (!validatorOf(Header)(header)) throw refusedAt(file.number, NOT_AN_EXPORT)
  const { version, release } = header as Header
  if (version <= FORMAT_VERSION) return header as Header
  throw refusedAt(
    file.number,
    `the file has format ${version}, of release ${release}; this release reads format ${FORMAT_VERSION}. Import it with release ${release} or a newer one.`,
  )
}

function parse({ bytes, number }: FileLine): unknown {
  try {
    return JSON.parse(decoder.decode(bytes))
  } catch (error) {
    const reason =
      number === 1 ? NOT_AN_EXPORT : 'it is not JSON in UTF-8. Export again, or copy the file again.'
    throw refusedAt(number, reason, error)
  }
}

function kindOf(value: unknown): unknown {
  return typeof value === 'object' && value !== null && 'record' in value ? value.record : undefined
}

function isLineKind(kind: unknown): kind is LineKind {
  return LINE_KINDS.some((known) => known === kind)
}

function check<T>(schema: TSchema, value: unknown, { number }: FileLine): T {
  const validate = validatorOf(schema)
  if (validate(value)) return value as T
  const [fault] = validate.errors ?? []
  throw refusedAt(
    number,
    `${fault?.instancePath.slice(1) || 'it'} ${fault?.message}. Export again with "bugle export".`,
  )
}

function validatorOf(schema: TSchema): ValidateFunction {
  const known = checks.get(schema)
  if (known !== undefined) return known
  const validate = ajv.compile(schema)
  checks.set(schema, validate)
  return validate
}
