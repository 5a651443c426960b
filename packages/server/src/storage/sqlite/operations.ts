import type { DatabaseSync } from 'node:sqlite'
import { nameOfWrite } from '../nouns/writes.ts'
import type { Operations } from '../operations.ts'
import { operationRunner } from './run-operations.ts'
import type { Writes } from './writer.ts'

/** Runs operations: reads right here, writes in the writer. */
export function sqliteOperations(reader: DatabaseSync, writes: Writes): Operations {
  const run = operationRunner(reader)
  const write: Operations['write'] = (operation, ...args) =>
    writes.run(nameOfWrite(operation), ...(args as unknown as never)) as Promise<never>
  return { read: async (operation, ...args) => run(operation(...args)), write, writeInBackground: write }
}
