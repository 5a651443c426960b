import { join } from 'node:path'
import { temporaryFolder } from '../../../test-support/temporary-folder.ts'
import { describeStatistics } from '../statistics.contract.ts'
import { openSqliteStorage } from './sqlite-storage.ts'

describeStatistics('SQLite on disk', async () => {
  const folder = temporaryFolder()
  const storage = await openSqliteStorage({
    path: join(folder.path, 'bugle.db'),
    onCrash: (error) => {
      throw error
    },
  })
  return {
    ...storage,
    async [Symbol.asyncDispose]() {
      await storage.close()
      folder[Symbol.dispose]()
    },
  }
})
