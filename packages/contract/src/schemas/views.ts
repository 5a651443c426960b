import { type Static, Type } from 'typebox'
import { MAX_VIEW_NAME_CHARS, MAX_VIEW_QUERY_CHARS } from '../vocabulary/limits.ts'
import { answerObject, requiredText, timestamp } from './members.ts'

const VISIBLE_ASCII = '^[\\x21-\\x7e]*$'

const EXAMPLE = {
  name: 'Crashes on iOS',
  projectId: 'prj_01m8z3v9q8e1r8000000000000',
  query: 'category=crash&platform=ios&sort=reports',
}

/** A saved filter of the issue list. */
export const View = answerObject(
  {
    id: Type.String({ description: 'Unique identifier.' }),
    name: Type.String({ description: 'Its name.' }),
    projectId: Type.String({ description: 'The project whose issues it lists.' }),
    query: Type.String({
      description: 'The query string of `GET /v1/issues`, without `projectId`, `page` and `cursor`.',
    }),
    createdAt: timestamp({ description: 'When it was saved.' }),
  },
  {
    title: 'View',
    examples: [{ id: 'viw_01m8z3v9q8e1r8m6n0p4s2t7wx', ...EXAMPLE, createdAt: '2026-11-15T09:30:00.000Z' }],
  },
)
export type View = Static<typeof View>

export const ViewList = answerObject(
  { data: Type.Array(View, { description: 'The views, oldest first.' }) },
  { title: 'ViewList' },
)
export type ViewList = Static<typeof ViewList>

export const ViewCreation = Type.Object(
  {
    name: requiredText(MAX_VIEW_NAME_CHARS, { description: 'Its name.' }),
    projectId: Type.String({ maxLength: 64, description: "The project's id or slug." }),
    query: Type.String({
      maxLength: MAX_VIEW_QUERY_CHARS,
      pattern: VISIBLE_ASCII,
      description:
        'The query string of `GET /v1/issues`, without `?`, `projectId`, `page` and `cursor`; percent-encoded.',
    }),
  },
  { additionalProperties: false, title: 'ViewCreation', examples: [EXAMPLE] },
)
export type ViewCreation = Static<typeof ViewCreation>

export const ViewParams = Type.Object(
  { id: Type.String({ description: "The view's id.", examples: ['viw_01m8z3v9q8e1r8m6n0p4s2t7wx'] }) },
  { additionalProperties: false },
)
