import { bytes, plain, type TableInfo } from './table-kinds.ts'

/** The builds of the SDK that servers on this database have served, so that pages can pin one. Not exported: each server has its own. */
export const SDK_BUILDS: TableInfo = {
  name: 'sdk_builds',
  owner: 'instance',
  key: ['id'],
  columns: plain('id storedAt'),
}

export const SDK_FILES: TableInfo = {
  name: 'sdk_files',
  owner: 'instance',
  key: ['build', 'name'],
  columns: { ...plain('build name'), content: bytes },
}

/** Internal tables of the database. */
export const INTERNAL_TABLES: readonly TableInfo[] = [
  { name: 'catalog', owner: 'instance', key: [], columns: plain('version') },
  { name: 'imports', owner: 'instance', key: ['slot'], columns: plain('slot digest line') },
  {
    name: 'schema_version',
    owner: 'instance',
    key: [],
    columns: plain('version'),
    isOnlyIn: 'postgres',
  },
  { name: 'nodes', owner: 'instance', key: ['id'], columns: plain('id seenAt'), isOnlyIn: 'postgres' },
]
