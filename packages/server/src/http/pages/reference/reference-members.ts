import type { JsonSchema, ParameterObject } from '../../openapi/openapi-document.ts'
import { resolveSchema } from '../../openapi/openapi-schemas.ts'
import { type Fragment, type Html, html } from '../page.ts'
import { prose } from '../prose.ts'
import { table } from '../table.ts'
import { limitWords, typeWords } from './schema-words.ts'

type Schemas = Readonly<Record<string, JsonSchema>>

/** A table of the parameters of an operation. */
export function renderParameters(parameters: readonly ParameterObject[]): Html {
  return memberTable(
    'Parameters and request headers',
    parameters.map(({ name, in: place, required, schema, description }) => ({
      path: '',
      name,
      flags: required ? [place, REQUIRED] : [place],
      schema: { ...schema, description },
    })),
  )
}

/** A table of the fields of a request, nested ones by their path. */
export function renderRequestMembers(schema: JsonSchema, schemas: Schemas): Html {
  const flag = (isRequired: boolean) => (isRequired ? [REQUIRED] : [])
  return memberTable('Fields of the body', listMembers({ schema, schemas, path: '', flag }))
}

/** A table of the fields of a response, nested ones by their path. */
export function renderAnswerMembers(schema: JsonSchema, schemas: Schemas): Html {
  const flag = (isRequired: boolean) => (isRequired ? [] : ['optional'])
  return memberTable('Fields of the response', listMembers({ schema, schemas, path: '', flag }))
}

const REQUIRED = 'required'

interface Member {
  /** The path to the field, such as `sdk.` or `data[].` */
  readonly path: string
  readonly name: string
  readonly flags: readonly string[]
  readonly schema: JsonSchema
}

interface Listing {
  readonly schema: JsonSchema
  readonly schemas: Schemas
  readonly path: string
  readonly flag: (isRequired: boolean) => readonly string[]
}

function listMembers({ schema, schemas, path, flag }: Listing): readonly Member[] {
  const {
    properties = {},
    required = [],
    additionalProperties,
    items,
    anyOf,
  } = resolveSchema(schema, schemas)
  if (anyOf !== undefined)
    return anyOf.flatMap((branch) => listMembers({ schema: branch, schemas, path, flag }))
  if (items !== undefined) return listMembers({ schema: items, schemas, path: `${path}[]`, flag })
  const prefix = path === '' ? '' : `${path}.`
  const named = Object.entries(properties).flatMap(([name, property]) => [
    { path: prefix, name, flags: flag(required.includes(name)), schema: resolveBranches(property, schemas) },
    ...listMembers({ schema: property, schemas, path: prefix + name, flag }),
  ])
  if (typeof additionalProperties !== 'object') return named
  return [
    ...named,
    { path: prefix, name: '*', flags: [], schema: resolveBranches(additionalProperties, schemas) },
  ]
}

/** With references resolved, so that types and limits can be shown. */
function resolveBranches(schema: JsonSchema, schemas: Schemas): JsonSchema {
  const resolved = resolveSchema(schema, schemas)
  return {
    ...resolved,
    ...(resolved.anyOf && { anyOf: resolved.anyOf.map((branch) => resolveSchema(branch, schemas)) }),
  }
}

function memberTable(caption: string, members: readonly Member[]): Html {
  return table({
    caption,
    kind: 'members',
    headings: ['Name', 'Type and limits', 'Meaning'],
    rows: members.map(({ path, name, flags, schema }) => [
      [memberName(path, name), flags.map(flagMark)],
      typeCell(schema),
      prose(schema.description ?? ''),
    ]),
  })
}

function memberName(path: string, name: string): Html {
  return path === ''
    ? html`<code>${name}</code>`
    : html`<code><span class="within">${path}</span>${name}</code>`
}

function flagMark(flag: string): Html {
  return html` <span class="flag${flag === REQUIRED ? ' required' : ''}">${flag}</span>`
}

function typeCell(schema: JsonSchema): Fragment {
  const limits = limitWords(schema)
  if (limits.length === 0) return typeWords(schema)
  return html`${typeWords(schema)} <span class="limits">${limits}</span>`
}
