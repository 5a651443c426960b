import { temporaryPostgresStorage } from '../../../test-support/temporary-storage.ts'
import { describeDeliveryStorage } from '../suites/deliveries.contract.ts'
import { describeWebhookStorage } from '../suites/webhooks.contract.ts'

describeWebhookStorage('PostgreSQL', temporaryPostgresStorage)
describeDeliveryStorage('PostgreSQL', temporaryPostgresStorage)
