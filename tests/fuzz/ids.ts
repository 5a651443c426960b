import type { FuzzAnswer } from './judge.ts'
import type { Operation } from './openapi.ts'

/** Remembers ids from responses, so that requests use existing resources. */
export interface SeenIds {
  /** The nth id that fits a parameter in the path of an operation, encoded. */
  idFor(operation: Operation | null, piece: string, nth: number): string
  /** Remembers the ids in a response. */
  learn(operation: Operation | null, answer: FuzzAnswer): void
  /** The oldest webhook, if there are too many. */
  takeSurplusWebhook(): string | undefined
}

/** The number of ids of each kind that are remembered; the oldest is dropped first. */
const REMEMBERED = 200
const WEBHOOKS = 8
const POSITIONS = 20
/** Clients choose the ids of comments: few, so that they are used again. */
export const COMMENT_IDS = 4

export function rememberIds(projects: readonly { readonly id: string; readonly slug: string }[]): SeenIds {
  const byPrefix = new Map<string, string[]>()
  const webhooks: string[] = []
  const positions: string[] = []

  function remember(id: string): void {
    const prefix = id.slice(0, 4)
    const ids = byPrefix.get(prefix) ?? []
    if (!ids.includes(id)) ids.push(id)
    if (ids.length > (prefix === 'whk_' ? WEBHOOKS : REMEMBERED)) ids.shift()
    byPrefix.set(prefix, ids)
  }

  for (const { id } of projects) remember(id)
  const slugs = projects.map(({ slug }) => slug)

  return {
    idFor(operation, piece, nth) {
      const path = operation?.path ?? ''
      if (piece === '{position}') return pick(positions, nth)
      if (piece === '{commentId}') return String(nth % (COMMENT_IDS + 1))
      if (piece === '{issueNumber}') return String(nth % REMEMBERED)
      if (piece === '{idOrSlug}') return pick([...slugs, ...(byPrefix.get('prj_') ?? [])], nth)
      const kind = PREFIXES.find(([start]) => path.startsWith(start))?.[1] ?? 'iss_'
      // Sometimes an id of another kind.
      const ids = byPrefix.get(nth % 50 === 0 ? 'prj_' : kind) ?? []
      return pick(ids, nth)
    },
    learn(operation, { status, text }) {
      if (status !== 200 && status !== 201) return
      for (const [id] of text.matchAll(/\b[a-z]{3}_[0-9a-hjkmnp-tv-z]{26}\b/g)) remember(id)
      if (operation?.operationId === 'createWebhook') webhooks.push(JSON.parse(text).id)
      if (operation?.operationId !== 'listDeliveries') return
      for (const [, position = ''] of text.matchAll(/"position":(\d+)/g)) positions.unshift(position)
      positions.splice(POSITIONS)
    },
    takeSurplusWebhook: () => (webhooks.length > WEBHOOKS ? webhooks.shift() : undefined),
  }
}

const PREFIXES: readonly (readonly [start: string, prefix: string])[] = [
  ['/v1/issues', 'iss_'],
  ['/v1/webhooks', 'whk_'],
  ['/session/sign-ins', 'sgn_'],
  ['/session/views', 'viw_'],
]

function pick(ids: readonly string[], nth: number): string {
  return ids[nth % Math.max(1, ids.length)] ?? 'none'
}
