import { type TSchema, Type } from 'typebox'
import { REPORTER_KEY_HASH_PATTERN } from '../../vocabulary/conversations.ts'
import * as limits from '../../vocabulary/limits.ts'
import { mapReportFields, REPORT_FIELD_NAMES, REPORT_FIELDS } from '../../vocabulary/report-fields.ts'
import { nullable, optional, optionalText } from '../members.ts'

/**
 * The schemas, for input and for output, of report fields that the server stores without interpreting them. Text fields
 * are defined in `vocabulary/report-fields.ts`.
 */

export const submittedTexts = mapReportFields(({ maxLength, description, note, pattern }) => {
  const about = { description: note === undefined ? description : `${description} ${note}` }
  if (pattern === undefined) return optionalText(maxLength, about)
  return optional<string>({ type: ['string', 'null'], pattern, ...about })
})

export const exampleTexts = mapReportFields(({ example }) => example)

export interface SubmittedReporter {
  readonly id?: string | null
  readonly name?: string | null
  readonly email?: string | null
}

function reporterText(maxLength: number, description: string) {
  return { type: ['string', 'null'], maxLength, pattern: '^[^\\u0000]*$', description }
}

/** A flat object with names chosen by the sender. */
function submittedFields({ maxFields, maxNameChars, maxStringChars, valueTitle, description }: FieldBounds) {
  return optional<Record<string, string | number | boolean>>({
    type: ['object', 'null'],
    maxProperties: maxFields,
    propertyNames: {
      type: 'string',
      minLength: 1,
      maxLength: maxNameChars,
      pattern: '^(?!__proto__$)[^\\u0000]*$',
    },
    additionalProperties: {
      type: ['string', 'number', 'boolean'],
      title: valueTitle,
      maxLength: maxStringChars,
      pattern: '^[^\\u0000]*$',
      description: 'A value with a name of your choice.',
    },
    description,
  })
}

interface FieldBounds {
  readonly maxFields: number
  readonly maxNameChars: number
  readonly maxStringChars: number
  readonly valueTitle: string
  readonly description: string
}

export const submittedValues = {
  fingerprint: optional<string>({
    type: ['string', 'null'],
    minLength: 1,
    maxLength: limits.MAX_FINGERPRINT_CHARS,
    pattern: '^[^\\u0000]*$',
    description: 'Reports of a project with the same fingerprint are counted on one issue.',
  }),
  occurredAt: optional<string>({
    type: ['string', 'null'],
    format: 'date-time',
    description:
      'When it happened, if not just now: RFC 3339 with an offset, in the years 1970 to 9999 in UTC.',
  }),
  metadata: submittedFields({
    maxFields: limits.MAX_METADATA_MEMBERS,
    maxNameChars: limits.MAX_METADATA_KEY_CHARS,
    maxStringChars: limits.MAX_METADATA_STRING_CHARS,
    valueTitle: 'SubmittedMetadataValue',
    description: 'Any other information: a flat object of strings, numbers and booleans.',
  }),
  context: submittedFields({
    maxFields: limits.MAX_CONTEXT_FIELDS,
    maxNameChars: limits.MAX_CONTEXT_NAME_CHARS,
    maxStringChars: limits.MAX_CONTEXT_STRING_CHARS,
    valueTitle: 'SubmittedContextValue',
    description:
      'Where it happened, as collected by the SDK, such as the page and the browser: a flat object of strings, numbers and booleans.',
  }),
  reporter: optional<SubmittedReporter>({
    type: ['object', 'null'],
    title: 'SubmittedReporter',
    properties: {
      id: reporterText(limits.MAX_REPORTER_CHARS, "The person's id in the app."),
      name: reporterText(limits.MAX_REPORTER_CHARS, 'Their name.'),
      email: reporterText(limits.MAX_REPORTER_CHARS, 'Their email address. It is not verified.'),
    },
    additionalProperties: false,
    description: 'The person who reports the problem. An empty field counts as absent.',
  }),
  reporterKeyHash: optional<string>({
    type: ['string', 'null'],
    pattern: REPORTER_KEY_HASH_PATTERN,
    description: `The SHA-256, in hexadecimal, of the secret by which the reporter can follow the report with \`GET /v1/my/reports\`. It is never shown.`,
  }),
  sdk: optional<{ name: string; version: string }>({
    type: ['object', 'null'],
    title: 'SubmittedSdk',
    properties: {
      name: {
        type: 'string',
        minLength: 1,
        maxLength: limits.MAX_SDK_NAME_CHARS,
        pattern: '^[^\\u0000]*$',
        description: 'Its name.',
      },
      version: {
        type: 'string',
        minLength: 1,
        maxLength: limits.MAX_SDK_VERSION_CHARS,
        pattern: '^[^\\u0000]*$',
        description: 'Its release.',
      },
    },
    required: ['name', 'version'],
    additionalProperties: false,
    description: 'What sent the report.',
  }),
}

/** The values of a report. Lists of issues show them too. */
export const listedValues = {
  ...mapReportFields(({ description }) => nullable<string>('string', { description })),
  occurredAt: nullable<string>('string', {
    format: 'date-time',
    description: 'When it happened, if the report says so.',
  }),
}

export const exampleListedValues = { ...exampleTexts, occurredAt: null }

/** The values of a report. Lists of issues do not show them. */
export const unlistedValues = {
  metadata: shownFields('MetadataValue', 'Other information from the report.'),
  context: shownFields(
    'ContextValue',
    'Where it happened, as collected by the SDK, such as the page and the browser.',
  ),
  reporter: Type.Unsafe<Reporter | null>({
    type: ['object', 'null'],
    title: 'Reporter',
    properties: {
      id: { type: ['string', 'null'], description: "The person's id in the app." },
      name: { type: ['string', 'null'], description: 'Their name.' },
      email: { type: ['string', 'null'], description: 'Their email address. It is not verified.' },
    },
    required: ['id', 'name', 'email'],
    additionalProperties: false,
    description: 'The person who reported it, according to the app.',
  }),
  sdk: Type.Unsafe<{ name: string; version: string } | null>({
    type: ['object', 'null'],
    title: 'ReportSdk',
    properties: {
      name: { type: 'string', description: 'Its name.' },
      version: { type: 'string', description: 'Its release.' },
    },
    required: ['name', 'version'],
    additionalProperties: false,
    description: 'What sent the report.',
  }),
}

export const exampleUnlistedValues = {
  metadata: { locale: 'de-CH' },
  context: { page: 'https://app.example.com/settings', language: 'de-CH' },
  reporter: { id: '4711', name: 'Ada', email: null },
  sdk: { name: '@bugle/sdk', version: '0.1.0' },
}

export interface Reporter {
  readonly id: string | null
  readonly name: string | null
  readonly email: string | null
}

function shownFields(valueTitle: string, description: string) {
  return Type.Unsafe<Record<string, string | number | boolean> | null>({
    type: ['object', 'null'],
    additionalProperties: {
      type: ['string', 'number', 'boolean'],
      title: valueTitle,
      description: 'A value with a name chosen by the reporter.',
    },
    description,
  })
}

const PRIVATE_TEXTS: readonly string[] = REPORT_FIELD_NAMES.filter(
  (name) => 'isPrivate' in REPORT_FIELDS[name],
)

/** The values of an issue, which anonymous readers may see too: `null` for them if they are private. */
export const listedIssueValues = hide(listedValues, (name) => PRIVATE_TEXTS.includes(name))
export const unlistedIssueValues = hide(unlistedValues, () => true)

function hide<T extends Readonly<Record<string, TSchema>>>(
  values: T,
  isPrivate: (name: string) => boolean,
): T {
  const shown = Object.entries(values).map(([name, value]) => [name, isPrivate(name) ? hidden(value) : value])
  return Object.fromEntries(shown) as T
}

function hidden<T extends TSchema & { readonly description?: string }>(value: T) {
  const description = value.description?.replace(/\.$/, '; `null` for anonymous readers.')
  return Type.Unsafe({ ...value, description })
}
