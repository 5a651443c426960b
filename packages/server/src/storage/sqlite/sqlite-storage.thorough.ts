import { join } from 'node:path'
import { temporaryFolder } from '../../../test-support/temporary-folder.ts'
import { disposing, temporarySqliteStorage } from '../../../test-support/temporary-storage.ts'
import { describeStorage } from '../suites/storage.contract.ts'
import { openSqliteInline } from './sqlite-storage.ts'

describeStorage('SQLite on disk', temporarySqliteStorage)

describeStorage('SQLite on disk, for a command', async () => {
  const folder = temporaryFolder()
  return disposing(openSqliteInline(join(folder.path, 'bugle.db')), folder)
})
