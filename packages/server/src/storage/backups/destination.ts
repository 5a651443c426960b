/** A file at the destination. */
export interface FoundFile {
  readonly name: string
  readonly bytes: number
}

/** Where backups are put: a folder or a bucket. */
export interface Destination {
  /** For people; without credentials. */
  readonly place: string
  /** The file in which a backup is written before it is put in place, on this machine. */
  partOf(databasePath: string, series: string): string
  /** Puts a complete file in place under its name, durably and in one step. The part may be gone afterwards. */
  put(part: string, name: string): Promise<void>
  list(): Promise<readonly FoundFile[]>
  remove(name: string): Promise<void>
}
