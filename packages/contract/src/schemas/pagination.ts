import { type Static, type TSchema, Type } from 'typebox'
import { DEFAULT_PAGE_SIZE, MAX_PAGE_SIZE } from '../vocabulary/limits.ts'
import { answerObject, nullable } from './members.ts'

export const Pagination = answerObject(
  {
    page: nullable<number>('integer', {
      description: 'The page, from 1; `null` when a cursor was followed.',
    }),
    pageSize: Type.Integer({ description: 'How many rows a page has at most.' }),
    hasMore: Type.Boolean({ description: 'Whether there is more after these rows.' }),
    nextCursor: nullable<string>('string', {
      description: 'Leads to the rows after these, with the same filters; `null` at the end.',
    }),
    totalCount: nullable<number>('integer', {
      description: 'How many match in all; `null` where counting them would cost too much.',
    }),
  },
  {
    title: 'Pagination',
    description: 'Where these rows stand among all that match.',
    examples: [{ page: 1, pageSize: 25, hasMore: false, nextCursor: null, totalCount: 1 }],
  },
)

/** base64url. What it means is the server's own business. */
export const CURSOR_PATTERN = '^[A-Za-z0-9_-]+$'

/** A parameter that takes a `nextCursor`. */
export function cursor(about: { readonly description: string }) {
  return Type.String({ pattern: CURSOR_PATTERN, ...about })
}

/** How to walk a list that has only one order: by cursor. */
export const CursorQuery = Type.Object(
  {
    pageSize: Type.Optional(
      Type.Integer({
        minimum: 1,
        maximum: MAX_PAGE_SIZE,
        default: DEFAULT_PAGE_SIZE,
        description: 'How many rows a page has.',
      }),
    ),
    cursor: Type.Optional(cursor({ description: 'Continues after the response that returned it.' })),
  },
  { additionalProperties: false },
)
export type CursorQuery = Static<typeof CursorQuery>

/** `{ data, pagination }`: what a list that can be walked answers. */
export function pageOf<T extends TSchema>(item: T, about: { title: string; description?: string }) {
  return answerObject(
    { data: Type.Array(item, { description: 'The rows, in order.' }), pagination: Pagination },
    about,
  )
}
