/** How far a project has come. Another project never gets its number, also not one that is imported under the same id, and its log only grows. */
export interface MarkRow {
  readonly seq: number
  readonly last_event_position: number
}

export function markOf(row: MarkRow | undefined): string {
  return row === undefined ? '' : `${row.seq}.${row.last_event_position}`
}
