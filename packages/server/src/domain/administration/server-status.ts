import type { ServerStatus } from '@bugle/contract/settings'
import type { Clock } from '../../clock.ts'
import type { Lane } from '../../model/lanes.ts'
import type { DatabaseSize } from '../../storage/inspection.ts'
import type { Storage } from '../../storage/storage.ts'
import { VERSION } from '../../version.ts'
import type { UserCaller } from '../access/access.ts'
import { SKIPPED } from '../access/intake.ts'
import { requireAllProjects } from './admins.ts'

/** The state of the server, for the settings. */
export interface ServerStatuses {
  read(admin: UserCaller): Promise<ServerStatus>
}

/** What only the composition root knows. */
export interface ServerProbe {
  readonly databaseKind: 'sqlite' | 'postgres'
  /** `null`: unknown. */
  measureDatabase(): Promise<DatabaseSize | null>
  countNodes(): number
  listFindings(asSeen: {
    readonly lanes: readonly Lane[]
    readonly size: DatabaseSize | null
    readonly now: number
  }): Promise<readonly ServerStatus['findings'][number][]>
}

interface ServerStatusDependencies {
  readonly storage: Storage
  readonly clock: Clock
  readonly probe: ServerProbe
}

const PROJECT_LIMIT = 100
const SHOWN_REFUSALS = 100
/** Intake outcomes of submissions that were stored, now or earlier. */
const STORED = ['stored', 'joined', 'replayed']

export function createServerStatuses({ storage, clock, probe }: ServerStatusDependencies): ServerStatuses {
  async function listRefused(lanes: readonly Lane[]): Promise<ServerStatus['refused']> {
    const refused: ServerStatus['refused'] = []
    for (const { id } of await storage.projects.list(null, PROJECT_LIMIT)) {
      const { intake } = (await storage.stats.read(id, lanes)).counts
      for (const [outcome, count] of intake) {
        // Parts that were not kept are no refusals.
        if (STORED.includes(outcome) || outcome.startsWith(SKIPPED)) continue
        refused.push({ projectId: id, code: outcome === 'limited' ? 'rate-limited' : outcome, count })
      }
    }
    return refused.sort((one, other) => other.count - one.count).slice(0, SHOWN_REFUSALS)
  }

  return {
    async read(admin) {
      requireAllProjects(admin)
      const { canSeeSecurity } = admin.user
      const lanes: readonly Lane[] = canSeeSecurity ? ['open', 'security'] : ['open']
      // Sizes grow with security issues, so they are only for those who see them.
      const size = canSeeSecurity ? await probe.measureDatabase() : null
      const findings = await probe.listFindings({ lanes, size, now: clock() })
      return {
        version: VERSION,
        database: { kind: probe.databaseKind, bytes: size?.bytes ?? null },
        attachmentBytes: canSeeSecurity ? await storage.attachments.totalBytes() : null,
        nodes: probe.countNodes(),
        findings: findings.map((finding) => ({ ...finding })),
        refused: await listRefused(lanes),
      }
    },
  }
}
