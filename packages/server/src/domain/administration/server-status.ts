import type { ServerStatus } from '@bugle/contract/settings'
import type { Clock } from '../../clock.ts'
import type { Lane } from '../../model/lanes.ts'
import type { StatsRecord } from '../../model/stats.ts'
import type { DatabaseSize } from '../../storage/inspection.ts'
import type { StoredBackup } from '../../storage/ports/backups.ts'
import type { Storage } from '../../storage/storage.ts'
import { VERSION } from '../../version.ts'
import type { UserCaller } from '../access/access.ts'
import { SKIPPED } from '../access/intake.ts'
import { isoTime } from '../iso-time.ts'
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
  /** `null`: there are no scheduled backups. */
  readonly backupSchedule: {
    readonly place: string
    readonly everyMs: number
    readonly latest: StoredBackup | null
    readonly fault: string | null
  } | null
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
const HOUR_MS = 3_600_000
/** Intake outcomes of submissions that were stored, now or earlier. */
const STORED = ['stored', 'joined', 'replayed']

export function createServerStatuses({ storage, clock, probe }: ServerStatusDependencies): ServerStatuses {
  async function listRefused(lanes: readonly Lane[]): Promise<ServerStatus['refused']> {
    const refused: ServerStatus['refused'] = []
    for (const { id: projectId } of await storage.projects.list(null, PROJECT_LIMIT)) {
      const refusals = refusalsIn((await storage.stats.read(projectId, lanes)).counts)
      if (refusals.length === 0) continue
      const keys = new Map((await storage.keys.list(projectId)).map(({ id, name }) => [id as string, name]))
      for (const { keyId, code, count } of refusals)
        refused.push({ projectId, keyId, keyName: (keyId && keys.get(keyId)) || null, code, count })
    }
    return refused.sort(byCount).slice(0, SHOWN_REFUSALS)
  }

  async function findLastBackup(): Promise<ServerStatus['lastBackup']> {
    const [entry] = await storage.auditLog.list({
      ...{
        lanes: ['open'],
        reach: null,
        actor: null,
        projectId: null,
        since: null,
        until: null,
        before: null,
      },
      ...{ action: 'data.backed_up', limit: 1 },
    })
    return entry === undefined
      ? null
      : { at: isoTime(entry.at), by: entry.actor === 'system' ? null : entry.actor.replace(/^os:/, '') }
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
        lastBackup: await findLastBackup(),
        scheduledBackups: scheduleFor(probe.backupSchedule, canSeeSecurity),
        nodes: probe.countNodes(),
        findings: findings.map((finding) => ({ ...finding })),
        refused: await listRefused(lanes),
      }
    },
  }
}

/** The size includes security issues, as that of the database does. */
function scheduleFor(
  schedule: ServerProbe['backupSchedule'],
  canSeeSecurity: boolean,
): ServerStatus['scheduledBackups'] {
  if (schedule === null) return null
  const { place, everyMs, latest, fault } = schedule
  const shown = latest && {
    ...latest,
    at: isoTime(latest.at),
    bytes: canSeeSecurity ? latest.bytes : null,
  }
  return { place, everyHours: everyMs / HOUR_MS, latest: shown, fault }
}

interface Refusal {
  readonly keyId: string | null
  readonly code: string
  readonly count: number
}

/** The refused submissions of a project, by key and code. */
function refusalsIn({ intake, refused_key }: StatsRecord['counts']): readonly Refusal[] {
  const byKey = [...refused_key].flatMap(([value, count]): readonly Refusal[] => {
    const [keyId = '', outcome] = value.split(' ')
    // Without a second part, it is `other`: those that are not counted by name.
    return outcome === undefined ? [] : [{ keyId, code: codeOf(outcome), count }]
  })
  const withoutKey = [...intake].flatMap(([outcome, all]): readonly Refusal[] => {
    // Parts that were not kept are no refusals.
    if (STORED.includes(outcome) || outcome.startsWith(SKIPPED)) return []
    const code = codeOf(outcome)
    const named = byKey.filter((refusal) => refusal.code === code)
    const count = named.reduce((rest, refusal) => rest - refusal.count, all)
    return count <= 0 ? [] : [{ keyId: null, code, count }]
  })
  return [...byKey, ...withoutKey]
}

function codeOf(outcome: string): string {
  return outcome === 'limited' ? 'rate-limited' : outcome
}

type Refused = ServerStatus['refused'][number]

/** Most first; ties in alphabetical order, so that the page is stable. */
function byCount(one: Refused, other: Refused): number {
  const nameOf = ({ code, projectId, keyId }: Refused) => `${code} ${projectId} ${keyId}`
  return other.count - one.count || (nameOf(one) < nameOf(other) ? -1 : 1)
}
