import { encodeId, idToBytes } from '../../model/ids.ts'
import { behind, type Form, type TransferDialect } from '../sql/transfer-rows.ts'
import type { TransferTable } from '../sql/transfer-tables.ts'
import { keyRange, numberOf, rowKey } from './row-keys.ts'

/** Members that share a column with the project. */
const ROW_KEYS: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  issues: { number: 'row' },
  reports: { issueNumber: 'issue_row' },
  report_days: { issueNumber: 'issue_row' },
  submissions: { issueNumber: 'issue_row' },
  events: { position: 'row', openPosition: 'open_row', issueNumber: 'issue_row' },
}

const ROW_KEY_FORM: Form = {
  decode: (row) => numberOf(row as number),
  encode: (number, seq) => rowKey(seq, number as number),
}

/** How SQLite stores what the lines of an export say. */
export const SQLITE_DIALECT: TransferDialect = {
  idForm: (prefix) => ({
    decode: (bytes) => encodeId(prefix, bytes as Uint8Array),
    encode: (id) => idToBytes(id as string),
  }),

  bytesForm: {
    decode: (bytes) => Buffer.from(bytes as Uint8Array).toString('hex'),
    encode: (hex) => Buffer.from(hex as string, 'hex'),
  },

  rowKeyOf({ table }, member) {
    const column = ROW_KEYS[table]?.[member]
    return column === undefined ? undefined : { column, form: ROW_KEY_FORM }
  },

  pageConditions(table, seq, after) {
    if (!isByRowKey(table)) return [{ text: 'project = ?', values: [seq] }, ...behind(table, after)]
    const [column] = table.keyColumns
    const { low, high } = keyRange(seq)
    const end = { text: `${column} < ?`, values: [high] }
    // One lower bound and not two: SQLite begins at the first that it reads.
    return after === null ? [{ text: `${column} > ?`, values: [low] }, end] : [...behind(table, after), end]
  },

  ownColumns(table, line, seq) {
    // An import indexes issues itself: nobody must think that there is something to catch up with.
    if (line.record === 'project') return { indexed_number: line.lastIssueNumber }
    return seq === null || isByRowKey(table) ? {} : { project: seq }
  },
}

function isByRowKey({ table, key: [first = ''] }: TransferTable): boolean {
  return ROW_KEYS[table]?.[first] !== undefined
}
