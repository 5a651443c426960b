import { type Static, Type } from 'typebox'
import { MAX_VIEW_NAME_CHARS, MAX_VIEW_QUERY_CHARS } from '../../vocabulary/limits.ts'
import { answerObject, nullable, requiredText, timestamp } from '../members.ts'

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
    isShared: Type.Boolean({
      description: 'Whether everyone who can read the issues of the project sees it.',
    }),
    isOwn: Type.Boolean({ description: 'Whether the caller saved it.' }),
    ownerName: nullable<string>('string', {
      description: 'Who saved it; `null` if that person was removed.',
    }),
    createdAt: timestamp({ description: 'When it was saved.' }),
  },
  {
    title: 'View',
    examples: [
      {
        id: 'viw_01m8z3v9q8e1r8m6n0p4s2t7wx',
        ...EXAMPLE,
        isShared: true,
        isOwn: true,
        ownerName: 'Ada Lovelace',
        createdAt: '2026-11-15T09:30:00.000Z',
      },
    ],
  },
)
export type View = Static<typeof View>

export const ViewList = answerObject(
  { data: Type.Array(View, { description: 'The views, oldest first.' }) },
  { title: 'ViewList' },
)
export type ViewList = Static<typeof ViewList>

const name = requiredText(MAX_VIEW_NAME_CHARS, { description: 'Its name.' })
const query = Type.String({
  maxLength: MAX_VIEW_QUERY_CHARS,
  pattern: VISIBLE_ASCII,
  description:
    'The query string of `GET /v1/issues`, without `?`, `projectId`, `page` and `cursor`; percent-encoded.',
})
const isShared = Type.Boolean({
  description:
    'Whether everyone who can read the issues of the project sees it, with its name and its filters. Sharing needs `issues:triage`.',
})

export const ViewQuery = Type.Object(
  {
    projectId: Type.Optional(
      Type.String({
        maxLength: 64,
        description:
          'The id or slug of a project: its shared views are included, and views of other projects are not.',
      }),
    ),
  },
  { additionalProperties: false },
)
export type ViewQuery = Static<typeof ViewQuery>

export const ViewCreation = Type.Object(
  {
    name,
    projectId: Type.String({ maxLength: 64, description: "The project's id or slug." }),
    query,
    isShared: Type.Optional(isShared),
  },
  { additionalProperties: false, title: 'ViewCreation', examples: [EXAMPLE] },
)
export type ViewCreation = Static<typeof ViewCreation>

export const ViewPatch = Type.Object(
  { name: Type.Optional(name), query: Type.Optional(query), isShared: Type.Optional(isShared) },
  {
    additionalProperties: false,
    title: 'ViewPatch',
    examples: [{ name: 'Crashes on phones' }],
  },
)
export type ViewPatch = Static<typeof ViewPatch>

export const ViewParams = Type.Object(
  { id: Type.String({ description: "The view's id.", examples: ['viw_01m8z3v9q8e1r8m6n0p4s2t7wx'] }) },
  { additionalProperties: false },
)
