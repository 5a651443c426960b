import { hash } from 'node:crypto'
import { type Operation, type Operations, type Result, type Statement, StoredId } from '../operations.ts'
import type { Database, Query } from './connection.ts'

/** Runs operations: reads on the readers, writes in a transaction. */
export function postgresOperations(database: Database): Operations {
  return {
    read: (operation, ...args) => runOperation(database.execute, operation(...args)),
    write: (operation, ...args) =>
      database.transaction((tx) =>
        runOperation(
          (query, isSent) => {
            if (!isSent) return tx.execute(query)
            tx.send(query)
            return NO_RESULT
          },
          operation(...args),
        ),
      ),
  }
}

type Execute = (query: Query, isSent?: true) => Result | Promise<Result>

async function runOperation<T>(execute: Execute, operation: Operation<T>): Promise<T> {
  let step = operation.next()
  while (!step.done) step = operation.next(await execute(toQuery(step.value), step.value.isSent))
  return step.value
}

const NO_RESULT: Result = { rows: [], count: 0 }
const names = new Map<string, string>()

function toQuery({ text, values }: Statement): Query {
  return {
    name: nameOf(text),
    text,
    values: values.map((value) =>
      value instanceof StoredId ? Buffer.from(value.bytes).toString('hex') : value,
    ),
  }
}

/** The texts of operations are constants, so each is worth preparing. */
function nameOf(text: string): string {
  const known = names.get(text)
  if (known !== undefined) return known
  const name = `op_${hash('sha256', text).slice(0, 16)}`
  names.set(text, name)
  return name
}
