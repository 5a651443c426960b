import { parseJson } from '../core/delivery/requests.ts'
import { guard } from '../core/guard.ts'

const KEY = 'bugle-draft'

/** In local storage if an earlier page may have left files. */
export const FILES_LEFT = 'bugle-files'

/** What a person has entered, by the names of the controls. */
export type Draft = Readonly<Record<string, string>>

/** Keeps the text across reloads while the tab is open. */
export const keepDraft: (draft: Draft) => void = guard((draft: Draft) =>
  sessionStorage.setItem(KEY, JSON.stringify(draft)),
)

/** The stored text, if any. */
export const readDraft: () => Draft | undefined = guard(
  () => parseJson(sessionStorage.getItem(KEY)) as Draft | undefined,
)
