import { hash } from 'node:crypto'
import type { ProjectId } from '../../../model/ids.ts'
import { type GroupCall, nameOfGroupWrite } from '../../issues/group-writes.ts'
import {
  List,
  type Operation,
  type Operations,
  type Result,
  type Statement,
  StoredId,
  type Value,
} from '../../operations.ts'
import { type Database, numbered, type Query, type Transaction } from './connection.ts'

/** Submits calls to a group commit. */
interface GroupCommit {
  run(projectId: ProjectId, ...call: GroupCall): Promise<unknown>
}

/** Runs operations: reads on the readers, writes in a transaction. */
export function postgresOperations(database: Database, groups: GroupCommit): Operations {
  return {
    writeInGroup: (projectId, write, ...args) =>
      groups.run(projectId, nameOfGroupWrite(write), ...(args as unknown as never)) as Promise<never>,
    read: (operation, ...args) => runOperation(database.execute, operation(...args)),
    readLong: (_, operation, ...args) => runOperation(database.execute, operation(...args)),
    write: (operation, ...args) => database.transaction((tx) => runInTransaction(tx, operation(...args))),
    writeInBackground: (operation, ...args) =>
      database.background((tx) => runInTransaction(tx, operation(...args))),
  }
}

/** Runs an operation as a part of a transaction. */
export function runInTransaction<T>(tx: Transaction, operation: Operation<T>): Promise<T> {
  return runOperation((query, isSent) => {
    if (!isSent) return tx.execute(query)
    tx.send(query)
    return NO_RESULT
  }, operation)
}

type Execute = (query: Query, isSent?: true) => Result | Promise<Result>

/** Runs an operation to its end, with any function that runs statements. */
export async function runOperation<T>(execute: Execute, operation: Operation<T>): Promise<T> {
  let step = operation.next()
  while (!step.done) step = operation.next(await execute(toQuery(step.value), step.value.isSent))
  return step.value
}

const NO_RESULT: Result = { rows: [], count: 0 }
const names = new Map<string, string>()

function toQuery({ text, values, isAdHoc, areLists }: Statement): Query {
  const own = typeof text === 'string' ? text : text.postgres
  if (isAdHoc) return numbered(own, values.map(toParameter))
  return { name: nameOf(own), text: own, values: values.map(toParameter), ...(areLists && { areLists }) }
}

function toParameter(value: Value): unknown {
  if (value instanceof StoredId) return Buffer.from(value.bytes).toString('hex')
  if (value instanceof List) return value.values.map(toParameter)
  return value
}

/** The texts of operations are constants, so each is worth preparing. */
function nameOf(text: string): string {
  const known = names.get(text)
  if (known !== undefined) return known
  const name = `op_${hash('sha256', text).slice(0, 16)}`
  names.set(text, name)
  return name
}
