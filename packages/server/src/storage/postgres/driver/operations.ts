import { hash } from 'node:crypto'
import type { ProjectId } from '../../../model/ids.ts'
import { type GroupCall, nameOfGroupWrite } from '../../issues/group-writes.ts'
import { deleteProject } from '../../nouns/projects.ts'
import {
  List,
  type Operation,
  type Operations,
  type Result,
  type Statement,
  StoredId,
  StoredSeq,
  type Value,
} from '../../operations.ts'
import type { Revocation } from '../../ports/issues.ts'
import { type Database, numbered, type Query, type Transaction } from './connection.ts'
import { createProjectSeqs, type ProjectSeqs } from './project-seqs.ts'

interface RevocableGroup {
  readonly projectId: ProjectId
  readonly revocation: Revocation | undefined
}

/** Submits calls to a group commit. */
interface GroupCommit {
  run(projectId: ProjectId, ...call: GroupCall): Promise<unknown>
  runRevocably(group: RevocableGroup, ...call: GroupCall): Promise<unknown>
}

/** Runs operations: reads on the readers, writes in a transaction. */
export function postgresOperations(database: Database, groups: GroupCommit, seqs: ProjectSeqs): Operations {
  return {
    writeInGroup: (projectId, write, ...args) =>
      groups.run(projectId, nameOfGroupWrite(write), ...(args as unknown as never)) as Promise<never>,
    writeRevocably: (group, write, ...args) =>
      groups.runRevocably(group, nameOfGroupWrite(write), ...(args as unknown as never)) as Promise<never>,
    read: (operation, ...args) => runOperation(database.execute, operation(...args), seqs),
    readLong: (_, operation, ...args) => runOperation(database.execute, operation(...args), seqs),
    async write(operation, ...args) {
      const result = await database.transaction((tx) => runInTransaction(tx, operation(...args), seqs))
      if ((operation as unknown) === deleteProject) seqs.clear()
      return result
    },
    writeInBackground: (operation, ...args) =>
      database.background((tx) => runInTransaction(tx, operation(...args), seqs)),
  }
}

/** Runs an operation as a part of a transaction. */
export function runInTransaction<T>(
  tx: Transaction,
  operation: Operation<T>,
  seqs?: ProjectSeqs,
): Promise<T> {
  const execute: Execute = (query, isSent) => {
    if (!isSent) return tx.execute(query)
    tx.send(query)
    return NO_RESULT
  }
  return runOperation(execute, operation, seqs)
}

type Execute = (query: Query, isSent?: true) => Result | Promise<Result>

/** Runs an operation to its end, with any function that runs statements. */
export async function runOperation<T>(
  execute: Execute,
  operation: Operation<T>,
  seqs = createProjectSeqs(),
): Promise<T> {
  let step = operation.next()
  while (!step.done) {
    const { value: statement } = step
    const project = statement.values.find((value) => value instanceof StoredSeq)
    const seq = project && (seqs.find(project.id) ?? (await seqs.read(project.id, execute)))
    step = operation.next(await execute(toQuery(statement, seq), statement.isSent))
  }
  return step.value
}

const NO_RESULT: Result = { rows: [], count: 0 }
const names = new Map<string, string>()

/** `seq` is the number of the project that the statement names, if it does. */
function toQuery({ text, values: given, isAdHoc, areLists }: Statement, seq: number | null = null): Query {
  const own = typeof text === 'string' ? text : text.postgres
  const values = given.map((value) => (value instanceof StoredSeq ? seq : toParameter(value)))
  if (isAdHoc) return numbered(own, values)
  return { name: nameOf(own), text: own, values, ...(areLists && { areLists }) }
}

function toParameter(value: Exclude<Value, StoredSeq>): unknown {
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
