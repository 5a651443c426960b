import { type AuditLog, createAuditLog } from './audit-log.ts'
import { createKeyAdministration, type KeyAdministration } from './keys.ts'
import { createLabelAdministration, type LabelAdministration } from './labels.ts'
import { createPeopleAdministration, type PeopleAdministration } from './people.ts'
import {
  type AdministrationDependencies,
  createProjectAdministration,
  type ProjectAdministration,
} from './projects.ts'

import { createSdkAdministration, type SdkAdministration } from './sdk-config.ts'
import { createServerStatuses, type ServerProbe, type ServerStatuses } from './server-status.ts'

/** What admins do in the settings. The `bugle` command can do all of it too. */
export interface Administration {
  readonly projects: ProjectAdministration
  readonly keys: KeyAdministration
  readonly people: PeopleAdministration
  readonly labels: LabelAdministration
  readonly sdkConfigs: SdkAdministration
  readonly auditLog: AuditLog
  readonly server: ServerStatuses
}

export function createAdministration(
  parts: AdministrationDependencies & { readonly probe: ServerProbe },
): Administration {
  return {
    projects: createProjectAdministration(parts),
    keys: createKeyAdministration(parts),
    people: createPeopleAdministration(parts),
    labels: createLabelAdministration(parts),
    sdkConfigs: createSdkAdministration(parts),
    auditLog: createAuditLog(parts.storage),
    server: createServerStatuses(parts),
  }
}
