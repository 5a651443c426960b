import { join } from 'node:path'
import { temporaryFolder } from '../../../test-support/temporary-folder.ts'
import { describeDeliveryStorage } from '../deliveries.contract.ts'
import type { Storage } from '../storage.ts'
import { describeWebhookStorage } from '../webhooks.contract.ts'
import { openSqliteInline, openSqliteStorage } from './sqlite-storage.ts'

describeWebhookStorage('SQLite on disk', openOnDisk)
describeDeliveryStorage('SQLite on disk', openOnDisk)
describeWebhookStorage('SQLite in memory', openInMemory)
describeDeliveryStorage('SQLite in memory', openInMemory)

async function openOnDisk(): Promise<Storage & AsyncDisposable> {
  const folder = temporaryFolder()
  const path = join(folder.path, 'bugle.db')
  return disposing(await openSqliteStorage({ path, onCrash: rethrow }), folder)
}

async function openInMemory(): Promise<Storage & AsyncDisposable> {
  return disposing(openSqliteInline(':memory:'))
}

function rethrow(error: Error): never {
  throw error
}

function disposing(storage: Storage, folder?: Disposable): Storage & AsyncDisposable {
  return {
    ...storage,
    async [Symbol.asyncDispose]() {
      await storage.close()
      folder?.[Symbol.dispose]()
    },
  }
}
