import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import type { PostgresServer } from '../start-postgres.ts'

/** Makes a server log the plan of every statement, with the actual row counts. */
export const LOGGING_PLANS = [
  'shared_preload_libraries=auto_explain',
  'auto_explain.log_min_duration=0',
  'auto_explain.log_analyze=on',
  'auto_explain.log_timing=off',
  'auto_explain.log_buffers=on',
  'auto_explain.log_format=json',
  'logging_collector=on',
  'log_destination=jsonlog',
  'log_filename=plans',
  'log_rotation_age=0',
  'log_rotation_size=0',
]

/** A statement and its plan. */
export interface LoggedPlan {
  readonly query: string
  readonly root: PlanNode
}

export interface PlanNode {
  readonly 'Node Type': string
  readonly 'Parent Relationship'?: string
  readonly 'Relation Name'?: string
  readonly Alias?: string
  readonly 'Index Name'?: string
  readonly 'Index Cond'?: string
  readonly 'Recheck Cond'?: string
  readonly Filter?: string
  readonly 'Actual Rows': number
  readonly 'Actual Loops': number
  readonly 'Rows Removed by Filter'?: number
  readonly 'Rows Removed by Index Recheck'?: number
  readonly 'Shared Hit Blocks': number
  readonly 'Shared Read Blocks': number
  readonly Plans?: readonly PlanNode[]
}

/** A node and all those below it. */
export function* subtreeOf(node: PlanNode): Iterable<PlanNode> {
  yield node
  for (const child of node.Plans ?? []) yield* subtreeOf(child)
}

/** The plans of the statements that a server runs in the meantime. */
export async function plansOf(
  { url, dataFolder }: PostgresServer,
  work: () => Promise<void>,
): Promise<readonly LoggedPlan[]> {
  const mark = `reading plans ${performance.now()}`
  await say(url, `begin ${mark}`)
  await work()
  await say(url, `end ${mark}`)
  for (;;) {
    const log = readFileSync(join(dataFolder, 'log', 'plans.json'), 'utf8')
    const end = log.indexOf(`end ${mark}`)
    if (end !== -1) return toPlans(log.slice(log.indexOf(`begin ${mark}`), end))
    await sleep(50)
  }
}

async function say(url: string, text: string): Promise<void> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  await client.query(`DO $$ BEGIN RAISE LOG '${text}'; END $$`)
  await client.end()
}

function toPlans(log: string): readonly LoggedPlan[] {
  return log
    .split('\n')
    .slice(1, -1)
    .map((line) => JSON.parse(line) as { message?: string; application_name?: string })
    .flatMap(({ message = '', application_name: name }) => {
      const [, plan] = /^duration: .*? plan:\n(.*)$/s.exec(message) ?? []
      if (plan === undefined || name !== 'bugle') return []
      const { 'Query Text': query, Plan: root } = JSON.parse(plan) as { 'Query Text': string; Plan: PlanNode }
      return [{ query, root }]
    })
}
