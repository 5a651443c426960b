import type { Config } from '../../config.ts'
import type { Lane } from '../../model/lanes.ts'
import type { DatabaseSize } from '../../storage/inspection.ts'
import type { Storage } from '../../storage/storage.ts'
import { checkBackups, type KnownBackups } from './backups.ts'
import { checkConfiguration } from './configuration.ts'
import { checkKeys } from './credentials.ts'
import { checkSpace } from './database.ts'
import { checkExposure, checkPublicProjects } from './exposure.ts'
import type { Finding } from './findings.ts'
import { checkWebhooks } from './webhooks.ts'

/** More projects are not examined, because a request must be quick. */
const PROJECT_LIMIT = 100

interface ServerCheck {
  readonly config: Config
  readonly storage: Storage
  readonly now: number
  /** The lanes that the reader sees. */
  readonly lanes: readonly Lane[]
  /** `null`: the size is not for the reader, or unknown. */
  readonly size: DatabaseSize | null
  /** `null`: there are no scheduled backups. */
  readonly backups: KnownBackups | null
}

/** What the doctor finds in a running server without reading the whole database. */
export async function findServerFaults(check: ServerCheck): Promise<readonly Finding[]> {
  const { config, storage, now, lanes, size, backups } = check
  const projects = await storage.projects.list(null, PROJECT_LIMIT)
  return [
    ...checkConfiguration({ config, unknownSettings: [] }),
    ...checkExposure(config),
    ...(size === null ? [] : checkSpace(size)),
    ...(backups === null ? [] : [checkBackups(backups, now)]),
    ...(await checkWebhooks(storage, projects, now, lanes)),
    await checkKeys(storage, projects, now),
    checkPublicProjects(projects),
  ]
}
