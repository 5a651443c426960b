import type { DatabaseSync, SQLInputValue, StatementSync } from 'node:sqlite'
import { idToBytes } from '../../../model/ids.ts'
import type { Texts } from '../../dialects.ts'
import type { OperationList } from '../../nouns/nouns.ts'
import {
  List,
  type Operation,
  type Result,
  type Statement,
  StoredId,
  StoredSeq,
  type Text,
  type Value,
} from '../../operations.ts'
import { prepareOnce } from './statements.ts'

type Bound<L extends OperationList> = {
  readonly [N in keyof L]: (
    ...args: Parameters<L[N]>
  ) => ReturnType<L[N]> extends Operation<infer T> ? T : never
}

/** Operations as functions that run on a connection, each after `prepare`. */
export function bindOperations<L extends OperationList>(
  db: DatabaseSync,
  list: L,
  prepare: () => void = () => {},
): Bound<L> {
  const run = operationRunner(db)
  const bound = Object.entries(list).map(([name, operation]) => [
    name,
    (...args: never[]) => {
      prepare()
      return run(operation(...args))
    },
  ])
  return Object.fromEntries(bound) as Bound<L>
}

/** Runs an operation to its end on one connection. */
export function operationRunner(db: DatabaseSync): <T>(operation: Operation<T>) => T {
  const kept = new Map<Text, Execute>()
  const prepareAdHoc = prepareOnce(db)

  function execute({ text, values, isSent, isAdHoc, areLists, isOnlyForPostgres }: Statement): Result {
    if (isOnlyForPostgres) return NO_RESULT
    if (isAdHoc) return { rows: prepareAdHoc(text as string).all(...values.map(toInput)), count: 0 }
    let statement = kept.get(text)
    if (statement === undefined) {
      statement = prepare(db, typeof text === 'string' ? text : text.sqlite, areLists)
      kept.set(text, statement)
    }
    return statement(values.map(toInput), isSent)
  }

  return (operation) => {
    let step = operation.next()
    while (!step.done) step = operation.next(execute(step.value))
    return step.value
  }
}

/** Prepares a shared statement for use outside of an operation. */
export function prepareText(db: DatabaseSync, { sqlite }: Texts): (...values: readonly Value[]) => Result {
  const execute = prepare(db, sqlite)
  return (...values) => execute(values.map(toInput))
}

const NO_RESULT: Result = { rows: [], count: 0 }

/** Skips building the result if it is not used. */
type Execute = (values: SQLInputValue[], isSent?: true) => Result

function prepare(db: DatabaseSync, text: string, areLists = false): Execute {
  const statement = db.prepare(toSqlite(text))
  if (areLists) statement.setReturnArrays(true)
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
  return (values, isSent) => {
    if (!isSent) return { rows: [], count: Number(statement.run(...values).changes) }
    statement.get(...values)
    return NO_RESULT
  }
}

function returnsRows(statement: StatementSync): boolean {
  return statement.columns().length > 0
}

function toInput(value: Value): SQLInputValue {
  if (value instanceof StoredId) return value.bytes
  if (value instanceof StoredSeq) return idToBytes(value.id)
  if (value instanceof List) return JSON.stringify(value.values.map(toJson))
  return value
}

function toJson(value: string | number | StoredId): string | number {
  return value instanceof StoredId ? Buffer.from(value.bytes).toString('hex') : value
}

/** SQLite numbers its parameters with `?1` and does not need their types; with one writer there is nothing to lock. */
function toSqlite(text: string): string {
  return text
    .replaceAll(/\$(\d+)(?:::\w+(?:\[\])?)?/g, '?$1')
    .replaceAll(/\s+FOR UPDATE(?: OF \w+)?(?: SKIP LOCKED)?/g, '')
}
