import type { DatabaseSync } from 'node:sqlite'
import type { ProjectId } from '../../../model/ids.ts'
import type { ListBounds } from '../../../model/issue-lists.ts'
import { LONG_READS } from '../../nouns/nouns.ts'
import { openReader } from '../driver/connection.ts'
import { bindOperations } from '../driver/run-operations.ts'
import { prepareIssueLists } from '../issues/issue-lists.ts'

/** Long reads by name, which a reader thread can run. */
export type ReadOperations = ReturnType<typeof prepareReads>
export type ReadName = keyof ReadOperations

/** The origin of a read: projects take turns, and when the client disconnects the read is not started, or is stopped. */
export interface ReadRequest {
  /** `null`: several projects, which have turns of their own. */
  readonly projectId: ProjectId | null
  readonly signal?: AbortSignal | undefined
}

/** Sends calls to a reader. */
export interface Reads {
  run<N extends ReadName>(
    request: ReadRequest,
    name: N,
    ...args: Parameters<ReadOperations[N]>
  ): Promise<ReturnType<ReadOperations[N]>>
}

/** A call to a reader, and its result. Both cross the thread boundary. */
export type ReadCall = readonly [name: ReadName, ...args: unknown[]]
export type ReadResult = { readonly value: unknown } | { readonly fault: string }

/** The data of a reader thread: shared memory for the number of a cancelled call. */
export type Cancelled = Int32Array<SharedArrayBuffer>

export interface Reader {
  read(call: ReadCall): unknown
  close(): void
}

/** `checkpoint` is called between the steps of a long read, and throws if the read was cancelled. */
export function createReader(path: string, bounds: ListBounds, checkpoint: () => void): Reader {
  const db = openReader(path)
  return { read: readWith(db, bounds, checkpoint), close: () => db.close() }
}

/** Runs a read in one transaction, so that all its queries see the same snapshot. */
export function readWith(
  db: DatabaseSync,
  bounds: ListBounds,
  checkpoint = () => {},
): (call: ReadCall) => unknown {
  const operations = prepareReads(db, bounds, checkpoint) as Record<ReadName, (...args: unknown[]) => unknown>
  return ([name, ...args]) => {
    const isNested = db.isTransaction
    if (!isNested) db.exec('BEGIN')
    try {
      return operations[name](...args)
    } finally {
      if (!isNested) db.exec('COMMIT')
    }
  }
}

function prepareReads(db: DatabaseSync, bounds: ListBounds, checkpoint: () => void) {
  return { ...prepareIssueLists(db, bounds, checkpoint), ...bindOperations(db, LONG_READS) }
}
