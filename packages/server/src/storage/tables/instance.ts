import { bytes, plain, type TableInfo } from './table-kinds.ts'

/** The builds of the SDK that servers on this database have served, so that pages can pin one. Not exported: each server has its own. */
const SDK_BUILDS: TableInfo = {
  name: 'sdk_builds',
  owner: 'instance',
  key: ['id'],
  columns: plain('id storedAt'),
}

const SDK_FILES: TableInfo = {
  name: 'sdk_files',
  owner: 'instance',
  key: ['build', 'name'],
  columns: { ...plain('build name'), content: bytes },
}

export const INSTANCE_TABLES: readonly TableInfo[] = [
  SDK_BUILDS,
  SDK_FILES,
  // Internal tables of the database.
  { name: 'catalog', owner: 'instance', key: [], columns: plain('version oldestSchema') },
  { name: 'imports', owner: 'instance', key: ['slot'], columns: plain('slot digest line') },
  {
    name: 'schema_version',
    owner: 'instance',
    key: [],
    columns: plain('version'),
    isOnlyIn: 'postgres',
  },
  { name: 'nodes', owner: 'instance', key: ['id'], columns: plain('id seenAt name'), isOnlyIn: 'postgres' },
]
