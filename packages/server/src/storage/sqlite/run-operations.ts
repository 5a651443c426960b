import type { DatabaseSync, SQLInputValue, StatementSync } from 'node:sqlite'
import { WRITES } from '../nouns/writes.ts'
import { type Operation, type Result, type Statement, StoredId } from '../operations.ts'

type BoundWrites = {
  readonly [N in keyof typeof WRITES]: (
    ...args: Parameters<(typeof WRITES)[N]>
  ) => ReturnType<(typeof WRITES)[N]> extends Operation<infer T> ? T : never
}

/** The writes as functions that run on the writer's connection. */
export function bindWrites(db: DatabaseSync): BoundWrites {
  const run = operationRunner(db)
  const bound = Object.entries(WRITES).map(([name, operation]) => [
    name,
    (...args: never[]) => run<unknown>((operation as (...args: never[]) => Operation<unknown>)(...args)),
  ])
  return Object.fromEntries(bound) as BoundWrites
}

/** Runs an operation to its end on one connection. */
export function operationRunner(db: DatabaseSync): <T>(operation: Operation<T>) => T {
  const kept = new Map<string, Execute>()

  function execute({ text, values, isLock }: Statement): Result {
    if (isLock) return NO_RESULT
    let statement = kept.get(text)
    if (statement === undefined) {
      statement = prepare(db, text)
      kept.set(text, statement)
    }
    return statement(values.map((value) => (value instanceof StoredId ? value.bytes : value)))
  }

  return (operation) => {
    let step = operation.next()
    while (!step.done) step = operation.next(execute(step.value))
    return step.value
  }
}

const NO_RESULT: Result = { rows: [], count: 0 }

type Execute = (values: SQLInputValue[]) => Result

function prepare(db: DatabaseSync, text: string): Execute {
  const statement = db.prepare(toSqlite(text))
  return returnsRows(statement) ? select(statement) : command(statement)
}

function select(statement: StatementSync): Execute {
  return (values) => {
    const rows = statement.all(...values)
    return { rows, count: rows.length }
  }
}

function command(statement: StatementSync): Execute {
  // Each `run` also reads the id of the last row inserted, and deleting from the full-text index leaves one there
  // that is too large for a number.
  statement.setReadBigInts(true)
  return (values) => ({ rows: [], count: Number(statement.run(...values).changes) })
}

function returnsRows(statement: StatementSync): boolean {
  return statement.columns().length > 0
}

/** SQLite numbers its parameters with `?1`, and with one writer there is nothing to lock. */
function toSqlite(text: string): string {
  return text.replaceAll(/\$(\d+)/g, '?$1').replaceAll(/\s+FOR UPDATE(?: OF \w+)?(?: SKIP LOCKED)?/g, '')
}
