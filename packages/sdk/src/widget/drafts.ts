import { parseJson } from '../core/delivery/requests.ts'
import { guard } from '../core/guard.ts'

const KEY = 'bugle-draft'

/** What a person has typed and not sent yet. */
export interface Draft {
  readonly title?: string
  readonly description?: string
}

/** Keeps the text over a reload of the page, as long as the tab is open. */
export const keepDraft = guard(
  (draft: Draft) => sessionStorage.setItem(KEY, JSON.stringify(draft)),
  () => {},
)

/** The text that was kept, if any. */
export const readDraft = guard(
  () => Object(parseJson(sessionStorage.getItem(KEY) ?? '')) as Draft,
  (): Draft => ({}),
)
