import { MAX_ATTACHMENTS } from '@bugle/contract/vocabulary'
import type { Draft } from '../drafts.ts'
import { decode, encode, isImage } from './images.ts'

/** The default limits of the server. */
const MAX_FILE_BYTES = 10 * 2 ** 20
const MAX_REPORT_BYTES = 25 * 2 ** 20

/** A file in the form. */
export interface Entry {
  readonly id: number
  readonly file: File
  /** Whether it can be shown and edited. */
  readonly isImage: boolean
  /** Whether the person must check it, because it may show more than this page. */
  readonly isUnchecked: boolean
  readonly isTicked: boolean
}

/** Why a file is not taken: the name of a text. */
export type Refusal = 'tooLarge' | 'tooMany' | 'unreadable'

/** The files of the draft that is being written. A page has one draft, even if it has several forms. */
export let entries: readonly Entry[] = []
let lastId = 0
/** Drafts that are being sent, or were not accepted. */
const kept = new WeakMap<Draft, readonly Entry[]>()

/** The files of a draft. If it has none yet, it gets those in the form. */
export function entriesOf(draft: Draft): readonly Entry[] {
  const own = kept.get(draft) ?? entries
  kept.set(draft, own)
  return own.filter(({ isTicked }) => isTicked)
}

/** Puts the files of a draft into the form; a draft without files clears it. */
export function restoreEntries(draft: Draft): void {
  entries = kept.get(draft) ?? []
}

/** Changes one file in the form. */
export function changeEntry(id: number, change: Partial<Entry>): void {
  entries = entries.map((entry) => (entry.id === id ? { ...entry, ...change } : entry))
}

export function removeEntry(id: number): void {
  entries = entries.filter((entry) => entry.id !== id)
}

/** Adds a file to the form. `reserved` is the number of files that the report has besides. */
export async function addFile(given: File, reserved: number): Promise<Entry | Refusal> {
  try {
    const hasPixels = await isImage(given)
    const file = hasPixels ? await encode(await decode(given), given.name, given.type) : given
    return addEntry({ file, isImage: hasPixels, isUnchecked: false }, reserved)
  } catch {
    // A folder, or an image that this browser cannot read. As it is, it might contain a location.
    return 'unreadable'
  }
}

/** Adds an image that has been encoded already. */
export function addEntry(
  entry: Pick<Entry, 'file' | 'isImage' | 'isUnchecked'>,
  reserved: number,
): Entry | Refusal {
  const ticked = entries.filter(({ isTicked }) => isTicked)
  const total = ticked.reduce((sum, { file }) => sum + file.size, entry.file.size)
  if (entry.file.size > MAX_FILE_BYTES || total > MAX_REPORT_BYTES) return 'tooLarge'
  if (ticked.length + reserved >= MAX_ATTACHMENTS) return 'tooMany'
  const added = { ...entry, id: ++lastId, isTicked: true }
  entries = [...entries, added]
  return added
}

/** A text that is different for different files, and empty for none. */
export function revisionOfEntries(): string {
  return entries.map(({ id, file, isTicked }) => `${id}.${file.size}.${isTicked}`).join()
}
