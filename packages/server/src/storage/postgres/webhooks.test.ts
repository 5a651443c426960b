import { temporaryPostgresStorage } from '../../../test-support/temporary-storage.ts'
import { describeDeliveryStorage } from '../deliveries.contract.ts'
import { describeWebhookStorage } from '../webhooks.contract.ts'

describeWebhookStorage('PostgreSQL', temporaryPostgresStorage)
describeDeliveryStorage('PostgreSQL', temporaryPostgresStorage)
