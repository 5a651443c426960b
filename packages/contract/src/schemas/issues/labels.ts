import { type Static, Type } from 'typebox'
import { MAX_LABELS } from '../../vocabulary/limits.ts'
import { answerObject, timestamp } from '../members.ts'

/** A label of a project, to sort its issues by. */
export const Label = answerObject(
  {
    name: Type.String({ description: 'Its name, unique in the project whatever the case of its letters.' }),
    colour: Type.String({ description: 'Its colour, as `#1a7f37`.' }),
    createdAt: timestamp({ description: 'When it was created.' }),
  },
  {
    title: 'Label',
    examples: [{ name: 'needs design', colour: '#8250df', createdAt: '2026-11-15T09:30:00.000Z' }],
  },
)
export type Label = Static<typeof Label>

export const LabelList = answerObject(
  { data: Type.Array(Label, { description: `The labels, by name: at most ${MAX_LABELS}.` }) },
  { title: 'LabelList' },
)
export type LabelList = Static<typeof LabelList>
