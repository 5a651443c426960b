import { memorySqliteStorage, temporarySqliteStorage } from '../../../test-support/temporary-storage.ts'
import { describeDeliveryStorage } from '../suites/deliveries.contract.ts'
import { describeWebhookStorage } from '../suites/webhooks.contract.ts'

describeWebhookStorage('SQLite on disk', temporarySqliteStorage)
describeDeliveryStorage('SQLite on disk', temporarySqliteStorage)
describeWebhookStorage('SQLite in memory', memorySqliteStorage)
describeDeliveryStorage('SQLite in memory', memorySqliteStorage)
