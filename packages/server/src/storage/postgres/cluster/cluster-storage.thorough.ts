import { pretendCluster } from '../../../../test-support/citus-stand-in.ts'
import { openInspectedPostgres } from '../../../../test-support/inspected-postgres.ts'
import { temporaryClusterStorage } from '../../../../test-support/temporary-storage.ts'
import { describeDeliveryStorage } from '../../suites/deliveries.contract.ts'
import { describeInspection } from '../../suites/inspection.contract.ts'
import { describeStorage } from '../../suites/storage.contract.ts'
import { describeWebhookStorage } from '../../suites/webhooks.contract.ts'

/** The statements that a cluster gets do the same on one PostgreSQL. Citus itself is not part of the tests. */
const NAME = 'PostgreSQL, with the statements for a cluster'

describeStorage(NAME, temporaryClusterStorage)
describeWebhookStorage(NAME, temporaryClusterStorage)
describeDeliveryStorage(NAME, temporaryClusterStorage)
describeInspection(NAME, () => openInspectedPostgres(pretendCluster))
