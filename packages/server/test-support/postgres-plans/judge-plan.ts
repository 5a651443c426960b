import { MAX_EXAMINED_ROWS, MAX_KNOWN_ISSUES } from '@bugle/contract/vocabulary'
import { MAX_PENDING_DELIVERIES } from '../../src/model/decisions/plan-fan-out.ts'
import { type LoggedPlan, type PlanNode, subtreeOf } from './logged-plans.ts'

/** Rows that may be read in addition to the requested ones: pages are read as a whole, and joins read both sides. */
const SLACK_ROWS = 200
const ROWS_FOR_EACH = 6
/** Pages that a row may cost: those of all indexes of its table, and of the row itself. */
const PAGES_FOR_EACH = 25
const SLACK_PAGES = 700

/** Lists without an index examine this many rows of each lane; searches may examine a few extra blocks. Statistics of a period are like a list. */
const LIST_BUDGET = 2.5 * MAX_EXAMINED_ROWS
const SEARCH_BUDGET = 5 * MAX_EXAMINED_ROWS
const IS_LIST =
  /^(?:WITH period |SELECT (?:app_version, platform, |\S+ AS k,|c\.k, |k, n |\* FROM \(SELECT \S+ AS k,|i\.status, count|count\(\*\) AS examined|\(json_agg\(m\.n\)|to_json\(\(array_agg\(m\.n\)))/

/** Pending deliveries are counted for some webhooks, together with their events. */
const PENDING_BUDGET = 8 * MAX_PENDING_DELIVERIES
const IS_PENDING = /(?:count\(\*\)|SELECT DISTINCT d\.position).* FROM deliveries/

/** What is wrong with the plan of a statement; nothing if it found its rows by keys. `leniency` multiplies the permitted number. */
export function judgePlan(
  { query, root }: LoggedPlan,
  growing: ReadonlySet<string>,
  leniency = 1,
): readonly string[] {
  const nodes = [...subtreeOf(root)]
  const scans = nodes.filter((node) => isScanOf(node, growing))
  const faults = scans.flatMap(judgeScan)
  const wanted = nodes.filter(isWanted).reduce((sum, node) => sum + rowsOf(node), rowsOf(root))
  const examined = scans.reduce((sum, node) => sum + examinedBy(node), 0)
  const pages = root['Shared Hit Blocks'] + root['Shared Read Blocks']
  const budget = leniency * (budgetOf(query) ?? wanted * ROWS_FOR_EACH + SLACK_ROWS)
  if (examined > budget) faults.push(`examines ${examined} rows, for ${wanted}`)
  if (pages > (Math.min(examined, budget) + wanted) * PAGES_FOR_EACH + SLACK_PAGES)
    faults.push(`reads ${pages} pages, for ${examined} rows`)
  return faults
}

/** A filter by type examines at most this many events in a step, however many match. */
const EVENTS_BUDGET = 1_100
const IS_EVENTS = /max\(key\) AS last FROM|AS issue_id FROM events e/
/** The events of issues that may change lanes are counted; if one does, all of its events are rewritten. */
const IS_COUNT_OF_EVENTS = /^SELECT i\.number AS issue_number, e\.count AS "all"/

/** At most a thousand values are kept for each lane and dimension. */
const SEEN_BUDGET = 6_600
/** Their dates are read again, after deletions, from a limited number of issues and reports. */
const IS_SEEN = /FROM (?:current_)?seen_values\s|^SELECT \S+ AS value, \S+ AS build_number, min\(/

/** Files of the newest issues are counted, up to a limit. */
const IS_COUNT_OF_FILES = /^SELECT CAST\(count\(received_at\)/

/** Published issues are counted, up to their limit. */
const IS_COUNT_OF_KNOWN =
  /^SELECT count\(\*\) AS count FROM \(SELECT 1 FROM issues .* known_title IS NOT NULL/

/** Partial indexes that contain only rows waiting for background work, of all projects. */
const QUEUES: readonly (string | undefined)[] = ['suspect_files']

function budgetOf(query: string): number | undefined {
  if (IS_SEEN.test(query)) return SEEN_BUDGET
  if (IS_COUNT_OF_KNOWN.test(query)) return MAX_KNOWN_ISSUES
  if (IS_LIST.test(query)) return query.includes('tokens @@') ? SEARCH_BUDGET : LIST_BUDGET
  if (IS_COUNT_OF_FILES.test(query)) return LIST_BUDGET
  if (IS_EVENTS.test(query) || IS_COUNT_OF_EVENTS.test(query)) return EVENTS_BUDGET
  return IS_PENDING.test(query) ? PENDING_BUDGET : undefined
}

function judgeScan(node: PlanNode): string[] {
  const where = `${node['Node Type']} on ${node['Relation Name']}`
  if (node['Node Type'] === 'Tid Scan') return []
  if (node['Node Type'] === 'Bitmap Heap Scan') {
    const indexes = [...subtreeOf(node)].filter((child) => child['Node Type'] === 'Bitmap Index Scan')
    return indexes.flatMap((index) => judgeConditions(`${where} by ${index['Index Name']}`, index, node))
  }
  if (!node['Node Type'].startsWith('Index')) return [`${where}: goes through the table`]
  return judgeConditions(`${where} by ${node['Index Name']}`, node, node)
}

/** The token index has blocks instead of projects: each block belongs to one project. */
function judgeConditions(where: string, index: PlanNode, scan: PlanNode): string[] {
  if (QUEUES.includes(index['Index Name'])) return []
  const condition = index['Index Cond'] ?? ''
  if (condition === '') return [`${where}: goes through the index`]
  const isBlock = condition.includes('tokens @@')
  const namesProject = /\bproject = /.test(isBlock ? `${scan.Filter} ${scan['Recheck Cond']}` : condition)
  return namesProject ? [] : [`${where}: does not name the project, only ${condition}`]
}

function isScanOf(node: PlanNode, tables: ReadonlySet<string>): boolean {
  return node['Node Type'].endsWith('Scan') && tables.has(node['Relation Name'] ?? '')
}

/** Keys that came with the statement or were looked up first, and rows that were written. */
function isWanted(node: PlanNode): boolean {
  const isKeys = node['Node Type'] === 'Function Scan' || node['Parent Relationship'] === 'InitPlan'
  return isKeys || node['Node Type'] === 'ModifyTable'
}

/** For a writing statement, the rows that it is given. */
function rowsOf(node: PlanNode): number {
  const source = node['Node Type'] === 'ModifyTable' ? (node.Plans?.[0] ?? node) : node
  return Math.round(source['Actual Rows'] * source['Actual Loops'])
}

function examinedBy(node: PlanNode): number {
  const removed = (node['Rows Removed by Filter'] ?? 0) + (node['Rows Removed by Index Recheck'] ?? 0)
  return Math.round((node['Actual Rows'] + removed) * node['Actual Loops'])
}
