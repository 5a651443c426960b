import type { KeyRecord } from '../../model/keys.ts'
import type { LabelRecord } from '../../model/labels.ts'
import type { ProjectRecord } from '../../model/projects.ts'
import { bytes, flag, id, json, lane, plain, type TableInfo, table } from './table-kinds.ts'

export const PROJECTS = table<ProjectRecord & { readonly ordinal: number }>(
  {
    name: 'projects',
    owner: 'project',
    key: ['id'],
    lines: ['project'],
    others: {
      ...plain('seq lastIssueNumber lastEventPosition lastOpenPosition lastWebhookNumber lastLabelNumber'),
      ...plain('importSlug expiredPosition expiredOpenPosition indexedNumber fileBytes'),
      sdkConfig: json,
    },
  },
  {
    ...plain('ordinal slug name defaultBranch createdAt description websiteUrl repositoryUrl'),
    id: id('prj'),
    isPublic: flag,
  },
)

/** `project` is the project's sequence number; `null` if the key belongs to the instance. */
export const KEYS = table<Omit<KeyRecord, 'projectId'> & { readonly project: number | null }>(
  { name: 'keys', owner: 'project', key: ['id'], lines: ['key', 'instanceKey'] },
  {
    ...plain('project kind name token ending createdAt lastUsedAt revokedAt'),
    id: id('key'),
    hash: bytes,
    scopes: json,
    origins: json,
  },
)

/** The labels of a project. */
export const LABELS = table<LabelRecord & { readonly project: number }>(
  { name: 'labels', owner: 'project', key: ['project', 'number'], lines: ['label'] },
  plain('project number name colour createdAt'),
)

/** Deleted labels that issues may still have. They are not shown, and not exported. */
export const DELETED_LABELS: TableInfo = {
  name: 'deleted_labels',
  owner: 'project',
  key: ['project', 'number'],
  columns: plain('project number'),
  isOnCoordinator: true,
}

export const COUNTERS: TableInfo = {
  name: 'counters',
  owner: 'project',
  key: ['project', 'lane', 'dimension', 'value'],
  lines: ['counter'],
  columns: { ...plain('project dimension value count'), lane },
}

/** The last numbers that a project has assigned; without a row, those in `projects`. */
export const PROJECT_HEADS: TableInfo = {
  name: 'project_heads',
  owner: 'project',
  key: ['project', 'generation'],
  columns: plain('project generation commits lastIssueNumber lastEventPosition lastOpenPosition'),
  isOnlyIn: 'postgres',
}

/** Added to `counters` when its generation ends. */
export const ADDED_COUNTS: TableInfo = {
  name: 'added_counts',
  owner: 'project',
  key: ['project', 'generation', 'lane', 'dimension', 'value'],
  columns: { ...plain('project generation dimension value count'), lane },
  isOnlyIn: 'postgres',
}

/** Added to `seen_values` when its generation ends. */
export const ADDED_SEEN_VALUES: TableInfo = {
  name: 'added_seen_values',
  owner: 'project',
  key: ['project', 'generation', 'lane', 'dimension', 'value', 'buildNumber'],
  columns: {
    ...plain(
      'project generation dimension value buildNumber reports newIssues fixedIssues regressions firstAt lastAt',
    ),
    lane,
  },
  isOnlyIn: 'postgres',
}

/** Versions with their builds, and branches, that were named in reports. */
export const SEEN_VALUES: TableInfo = {
  name: 'seen_values',
  owner: 'project',
  key: ['project', 'lane', 'dimension', 'value', 'buildNumber'],
  lines: ['seenValue'],
  columns: {
    ...plain('project dimension value buildNumber reports newIssues fixedIssues regressions firstAt lastAt'),
    lane,
    includesRest: flag,
  },
}

/** The numbers of projects that were deleted: files that the store still has of them belong to nothing. */
export const DELETED_PROJECTS: TableInfo = {
  name: 'deleted_projects',
  owner: 'instance',
  key: ['ordinal'],
  columns: plain('ordinal'),
}

/** The keys that senders are hashed with, one for each day. */
export const SENDER_KEYS: TableInfo = {
  name: 'sender_keys',
  owner: 'instance',
  key: ['day'],
  columns: { ...plain('day'), key: bytes },
}

/** Senders whose reports are stored as spam. */
export const BLOCKED_SENDERS: TableInfo = {
  name: 'blocked_senders',
  owner: 'project',
  key: ['project', 'sender'],
  columns: plain('project sender day issueNumber'),
}

/** Reporters whose secret is no longer valid for the project. */
export const BLOCKED_REPORTERS: TableInfo = {
  name: 'blocked_reporters',
  owner: 'project',
  key: ['project', 'keyHash', 'lane'],
  lines: ['blockedReporter'],
  columns: { ...plain('project keyHash at'), lane },
}

export const PROJECT_TABLES: readonly TableInfo[] = [
  PROJECTS,
  KEYS,
  LABELS,
  DELETED_LABELS,
  SENDER_KEYS,
  BLOCKED_SENDERS,
  BLOCKED_REPORTERS,
  DELETED_PROJECTS,
  PROJECT_HEADS,
  COUNTERS,
  ADDED_COUNTS,
  SEEN_VALUES,
  ADDED_SEEN_VALUES,
]
