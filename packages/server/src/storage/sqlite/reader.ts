import type { DatabaseSync } from 'node:sqlite'
import { openReader } from './connection.ts'
import { prepareIssueLists } from './issue-lists.ts'
import { prepareStatsReads } from './stats.ts'

/** Reads that may take a while, by name: what a reader's thread can be asked to run. */
export type ReadOperations = ReturnType<typeof prepareReads>
export type ReadName = keyof ReadOperations

/** The way to a reader. */
export interface Reads {
  run<N extends ReadName>(
    name: N,
    ...args: Parameters<ReadOperations[N]>
  ): Promise<ReturnType<ReadOperations[N]>>
}

/** A call on its way to a reader. It crosses the thread boundary. */
export type ReadCall = readonly [name: ReadName, ...args: unknown[]]

export interface Reader {
  read(call: ReadCall): unknown
  close(): void
}

export function createReader(path: string): Reader {
  const db = openReader(path)
  return { read: readWith(db), close: () => db.close() }
}

/** Runs a read in one transaction, so that all its queries see the same moment. */
export function readWith(db: DatabaseSync): (call: ReadCall) => unknown {
  const operations = prepareReads(db) as Record<ReadName, (...args: unknown[]) => unknown>
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

function prepareReads(db: DatabaseSync) {
  return { ...prepareIssueLists(db), ...prepareStatsReads(db) }
}
