import { DISTRIBUTED_TABLES, DISTRIBUTION_COLUMN, TABLES } from '../../src/storage/tables.ts'
import { type LoggedPlan, type PlanNode, subtreeOf } from './logged-plans.ts'

const DISTRIBUTED: ReadonlySet<string> = new Set(DISTRIBUTED_TABLES.map(({ name }) => name))
const ON_COORDINATOR: ReadonlySet<string> = new Set(
  TABLES.filter((table) => !DISTRIBUTED_TABLES.includes(table)).map(({ name }) => name),
)

/**
 * Why a cluster would refuse a statement, or send it to all of its nodes. A statement on a distributed table names the project as a value,
 * and reads no table of the coordinator. Tables of the same project may be joined. Rows that are inserted bring their project with them.
 */
export function judgeStatement({ root }: Pick<LoggedPlan, 'root'>): readonly string[] {
  const nodes = [...subtreeOf(root)]
  const tables = new Set(nodes.flatMap((node) => node['Relation Name'] ?? []))
  if (![...tables].some((name) => DISTRIBUTED.has(name))) return []
  const scans = nodes.filter((node) => isScan(node) && DISTRIBUTED.has(node['Relation Name'] ?? ''))
  const owners = new Set(scans.map(({ Alias: alias }) => alias ?? ''))
  return [
    ...[...tables]
      .filter((name) => ON_COORDINATOR.has(name))
      .map((name) => `reads ${name}, which is on the coordinator, together with distributed tables`),
    ...scans
      .filter((scan) => !projectsIn(scan).some((project) => isValue(project) || isOwnedBy(owners, project)))
      .map((scan) => `does not name the project of ${scan['Relation Name']} as a value`),
    ...(scans.length > 0 && !scans.some((scan) => projectsIn(scan).some(isValue))
      ? ['compares projects only with each other']
      : []),
  ]
}

/** Not one that writes rows. */
function isScan(node: PlanNode): boolean {
  return node['Node Type'].endsWith('Scan') && node['Node Type'] !== 'Bitmap Index Scan'
}

const IS_PROJECT = new RegExp(
  `\\b${DISTRIBUTION_COLUMN} = (\\(InitPlan [^)]*\\)\\S*|ANY \\([^)]*\\)|[^\\s)]+)`,
  'g',
)

/** What the project is compared with, in the conditions of a scan and of the indexes that it uses. */
function projectsIn(scan: PlanNode): readonly string[] {
  const indexes = [...subtreeOf(scan)].filter((node) => node['Node Type'] === 'Bitmap Index Scan')
  const conditions = [scan, ...indexes].flatMap((node) => [
    node['Index Cond'],
    node['Recheck Cond'],
    node.Filter,
  ])
  return conditions.flatMap((text) =>
    [...(text ?? '').matchAll(IS_PROJECT)].map(([, project = '']) => project),
  )
}

/** A parameter or a constant, or a list of them. */
function isValue(project: string): boolean {
  return /^(?:\$\d+|'?-?\d+'?(?:::\w+)?|ANY \((?:\$\d+|'\{[-\d,]*\}'(?:::\w+\[\])?))/.test(project)
}

/** The project of another distributed table of the statement. */
function isOwnedBy(owners: ReadonlySet<string>, project: string): boolean {
  const [owner = '', column] = project.split('.')
  return column === DISTRIBUTION_COLUMN && owners.has(owner)
}
