import { type Static, type TSchema, Type } from 'typebox'
import { DEFAULT_PAGE_SIZE, MAX_PAGE_SIZE } from '../vocabulary/limits.ts'
import { answerObject, nullable } from './members.ts'

export const Pagination = answerObject(
  {
    page: nullable<number>('integer', {
      description: 'The page, starting at 1; `null` if a cursor was used.',
    }),
    pageSize: Type.Integer({ description: 'The maximum number of items per page.' }),
    hasMore: Type.Boolean({ description: 'Whether there are more items.' }),
    nextCursor: nullable<string>('string', {
      description: 'The cursor of the next page, for the same filters; `null` at the end.',
    }),
    totalCount: nullable<number>('integer', {
      description: 'The total number of matches; `null` if counting them would be too expensive.',
    }),
  },
  {
    title: 'Pagination',
    description: 'The position of this page within all matches.',
    examples: [{ page: 1, pageSize: 25, hasMore: false, nextCursor: null, totalCount: 1 }],
  },
)

/** base64url. Opaque to clients. */
export const CURSOR_PATTERN = '^[A-Za-z0-9_-]+$'

/** A parameter that takes a `nextCursor`. */
export function cursor(about: { readonly description: string }) {
  return Type.String({ pattern: CURSOR_PATTERN, ...about })
}

/** Paging by cursor, for lists with only one order. */
export const CursorQuery = Type.Object(
  {
    pageSize: Type.Optional(
      Type.Integer({
        minimum: 1,
        maximum: MAX_PAGE_SIZE,
        default: DEFAULT_PAGE_SIZE,
        description: 'The number of items per page.',
      }),
    ),
    cursor: Type.Optional(cursor({ description: 'Continues after the response that returned it.' })),
  },
  { additionalProperties: false },
)
export type CursorQuery = Static<typeof CursorQuery>

/** `{ data, pagination }`: the response of a paged list. */
export function pageOf<T extends TSchema>(item: T, about: { title: string; description?: string }) {
  return answerObject(
    { data: Type.Array(item, { description: 'The rows, in order.' }), pagination: Pagination },
    about,
  )
}
