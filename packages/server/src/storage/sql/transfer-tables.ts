import type { IdPrefix } from '../../model/ids.ts'
import { LINES, type LineKind, type LineOf } from '../../model/transfer/lines.ts'

/** Where the lines of a kind come from and go to. A member is the column of the same name, in the spelling of SQL. */
export interface TransferTable {
  readonly kind: LineKind
  readonly table: string
  /** In the order of the file. */
  readonly members: readonly string[]
  /** The members that tell the rows of a project apart, and that they are ordered by. */
  readonly key: readonly string[]
  /** Of members that are not stored as they are said. */
  readonly forms: Readonly<Partial<Record<string, StoredForm>>>
}

/** As an id of that kind, as bytes or JSON, as 0 or 1, or as a number that stands for a word. */
export type StoredForm = IdPrefix | 'bytes' | 'json' | 'flag' | 'lane' | 'priority' | 'details'

export const PROJECTS = tableOf('project', 'projects', ['id'], {
  id: 'prj',
  isPublic: 'flag',
  sdkConfig: 'json',
})

const KEY_FORMS = { id: 'key', hash: 'bytes', scopes: 'json', origins: 'json' } as const

/** What belongs to a project, in the order of the file. */
export const PROJECT_TABLES: readonly TransferTable[] = [
  tableOf('key', 'keys', ['id'], KEY_FORMS),
  tableOf('issue', 'issues', ['number'], { id: 'iss', priority: 'priority', metadata: 'json' }),
  tableOf('report', 'reports', ['issueNumber', 'number'], {}),
  tableOf('reportDay', 'report_days', ['issueNumber', 'day'], {}),
  tableOf('submission', 'submissions', ['id'], { contentHash: 'bytes' }),
  tableOf('event', 'events', ['position'], { lane: 'lane', details: 'details' }),
  tableOf('webhook', 'webhooks', ['number'], {
    id: 'whk',
    eventTypes: 'json',
    includeSecurity: 'flag',
    secrets: 'json',
  }),
  tableOf('delivery', 'deliveries', ['webhook', 'position'], {}),
  tableOf('attempt', 'attempts', ['webhook', 'position', 'number'], {}),
  tableOf('counter', 'counters', ['lane', 'dimension', 'value'], { lane: 'lane' }),
]

/** What belongs to no project, in the order of the file. */
export const INSTANCE_TABLES: readonly TransferTable[] = [
  tableOf('instanceKey', 'keys', ['id'], KEY_FORMS),
  tableOf('user', 'users', ['id'], { id: 'usr', canSeeSecurity: 'flag', projectIds: 'json' }),
  tableOf('view', 'views', ['id'], { id: 'viw', userId: 'usr', projectId: 'prj' }),
]

type MemberOf<K extends LineKind> = Exclude<keyof LineOf<K>, 'record'> & string

function tableOf<K extends LineKind>(
  kind: K,
  table: string,
  key: readonly MemberOf<K>[],
  forms: Partial<Record<MemberOf<K>, StoredForm>>,
): TransferTable {
  return { kind, table, members: Object.keys(LINES[kind].properties), key, forms }
}
