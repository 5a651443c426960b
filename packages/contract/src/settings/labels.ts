import { type Static, Type } from 'typebox'
import { Label } from '../schemas/issues/labels.ts'
import { answerObject } from '../schemas/members.ts'
import { LABEL_COLOUR_PATTERN } from '../vocabulary/issues.ts'
import { MAX_LABEL_NAME_CHARS } from '../vocabulary/limits.ts'
import { REVISION, revision } from './revisions.ts'

const name = Type.String({
  minLength: 1,
  maxLength: MAX_LABEL_NAME_CHARS,
  // One line, and not only white space.
  pattern: '^\\s*[^\\s\\u0000-\\u001f\\u007f][^\\u0000-\\u001f\\u007f]*$',
  description: 'Its name, unique in the project whatever the case of its letters.',
})
const colour = Type.String({ pattern: LABEL_COLOUR_PATTERN, description: 'Its colour, as `#1a7f37`.' })

/** A label, as an admin changes it. */
export const LabelSettings = answerObject({ ...Label.properties, revision }, { title: 'LabelSettings' })
export type LabelSettings = Static<typeof LabelSettings>

export const LabelSettingsList = answerObject(
  { data: Type.Array(LabelSettings, { description: 'The labels, by name.' }) },
  { title: 'LabelSettingsList' },
)
export type LabelSettingsList = Static<typeof LabelSettingsList>

export const LabelCreation = Type.Object(
  { name, colour: Type.Optional(colour) },
  { additionalProperties: false, title: 'LabelCreation', examples: [{ name: 'needs design' }] },
)
export type LabelCreation = Static<typeof LabelCreation>

export const LabelPatch = Type.Object(
  { revision, name: Type.Optional(name), colour: Type.Optional(colour) },
  { additionalProperties: false, title: 'LabelPatch', examples: [{ revision: REVISION, colour: '#8250df' }] },
)
export type LabelPatch = Static<typeof LabelPatch>
