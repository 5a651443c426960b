import type { DatabaseSync } from 'node:sqlite'
import { nameOfGroupWrite } from '../../issues/group-writes.ts'
import { nameOfOperation } from '../../nouns/nouns.ts'
import type { Operations } from '../../operations.ts'
import type { ReadName, Reads } from '../readers/reader.ts'
import type { WriteName, Writes } from '../writer/writer.ts'
import { operationRunner } from './run-operations.ts'

interface Threads {
  readonly reads: Reads
  readonly writes: Writes
}

/** Runs operations: short reads in this thread, long ones in a reader thread, writes in the writer. */
export function sqliteOperations(reader: DatabaseSync, { reads, writes }: Threads): Operations {
  const run = operationRunner(reader)
  const write: Operations['write'] = (operation, ...args) =>
    writes.run(nameOfOperation(operation) as WriteName, ...(args as unknown as never)) as Promise<never>
  return {
    read: async (operation, ...args) => run(operation(...args)),
    readLong: (projectId, operation, ...args) =>
      reads.run(
        { projectId },
        nameOfOperation(operation) as ReadName,
        ...(args as unknown as never),
      ) as Promise<never>,
    writeInGroup: (_, operation, ...args) =>
      writes.run(nameOfGroupWrite(operation), ...(args as unknown as never)) as Promise<never>,
    writeRevocably: ({ revocation }, operation, ...args) =>
      writes.runRevocably(
        revocation,
        nameOfGroupWrite(operation),
        ...(args as unknown as never),
      ) as Promise<never>,
    write,
    writeInBackground: write,
  }
}
