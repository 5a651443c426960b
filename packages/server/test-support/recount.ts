import { isDeepStrictEqual } from 'node:util'
import type { EventRecord } from '../src/model/events.ts'
import type { IssueId, ProjectId } from '../src/model/ids.ts'
import type { StoredIssue } from '../src/model/issues.ts'
import type { ReportRecord } from '../src/model/reports/reports.ts'
import type { CountedDimension } from '../src/model/stats.ts'
import type { Storage } from '../src/storage/storage.ts'
import { fewAtATime } from './few-at-a-time.ts'

/** Everything that is stored about an issue. */
export interface IssueFile {
  readonly issue: StoredIssue
  readonly reports: readonly ReportRecord[]
  readonly events: readonly EventRecord[]
}

/** Reads every issue. The reports and events of an issue that is the same as in `known` are not read again, because each of them changes the issue. */
export async function readFiles(
  storage: Storage,
  projectId: ProjectId,
  ids: readonly IssueId[],
  known: ReadonlyMap<IssueId, IssueFile> = new Map(),
): Promise<readonly IssueFile[]> {
  const files = await fewAtATime(ids, (id) => readFile(storage, projectId, id, known.get(id)))
  return files.filter((file) => file !== undefined)
}

async function readFile(
  { issues }: Storage,
  projectId: ProjectId,
  id: IssueId,
  known: IssueFile | undefined,
): Promise<IssueFile | undefined> {
  const issue = await issues.find(projectId, id)
  if (issue === undefined) return undefined
  if (isDeepStrictEqual(issue, known?.issue)) return known
  const [reports, events] = await Promise.all([
    issues.listReports({
      issue,
      before: issue.reportCount + issue.deletedReports + 1,
      limit: issue.reportCount + 1,
      isDistinct: false,
    }),
    issues.listEvents({ issue, lanes: ['open', 'security'], afterPosition: 0, limit: 1_000 }),
  ])
  return { issue, reports, events }
}

export type Counts = Readonly<Record<string, number>>

/** Recounts the data: times from the history, reports one by one. */
export function recount(
  files: readonly IssueFile[],
): Record<Exclude<CountedDimension, 'intake' | 'refused_key'>, Counts> {
  const of = (valuesOf: (file: IssueFile) => readonly (string | null)[]): Counts => {
    const counts: Record<string, number> = {}
    for (const value of files.flatMap(valuesOf)) if (value !== null) counts[value] = (counts[value] ?? 0) + 1
    return counts
  }
  const leavings = (file: IssueFile) =>
    file.events.filter(({ changes }) => changes.some(isLeavingOpen)).slice(0, 1)
  const resolutions = (file: IssueFile) =>
    file.events.filter(({ changes }) => changes.some(isResolving)).slice(0, 1)
  const durations = (file: IssueFile, [end]: readonly EventRecord[]) =>
    end === undefined ? [] : [roughSeconds(end.createdAt - file.issue.createdAt)]
  return {
    status: of(({ issue }) => [issue.status]),
    category: of(({ issue }) => [issue.category]),
    priority: of(({ issue }) => [issue.priority]),
    platform: of(({ issue }) => [issue.platform]),
    // Blank is as good as absent.
    app_version: of(({ issue }) => [issue.appVersion || null]),
    os_version: of(({ issue }) => [issue.osVersion]),
    device_model: of(({ issue }) => [issue.deviceModel]),
    branch: of(({ issue }) => [issue.branch || null]),
    label: of(({ issue }) => issue.labels.map(String)),
    assignee: of(({ issue }) => [issue.assigneeId]),
    reports: of(({ reports }) => reports.map(() => '')),
    created_day: of(({ issue }) => [day(issue.createdAt)]),
    resolved_day: of((file) => resolutions(file).map(({ createdAt }) => day(createdAt))),
    reports_day: of(({ reports }) => reports.map(({ receivedAt }) => day(receivedAt))),
    time_to_acknowledge: of((file) => durations(file, leavings(file))),
    time_to_resolve: of((file) => durations(file, resolutions(file))),
  }
}

const isLeavingOpen = ({ member, from }: EventRecord['changes'][number]) =>
  member === 'status' && from === 'open'
const isResolving = ({ member, to }: EventRecord['changes'][number]) =>
  member === 'status' && to === 'resolved'

function day(time: number): string {
  const date = new Date(time)
  const twoDigits = (number: number) => String(number).padStart(2, '0')
  return `${date.getUTCFullYear()}-${twoDigits(date.getUTCMonth() + 1)}-${twoDigits(date.getUTCDate())}`
}

/** Whole seconds, to two significant digits. */
function roughSeconds(milliseconds: number): string {
  const seconds = Math.round(milliseconds / 1_000)
  const unit = 10 ** Math.max(0, String(seconds).length - 2)
  return String(Math.round(seconds / unit) * unit)
}
