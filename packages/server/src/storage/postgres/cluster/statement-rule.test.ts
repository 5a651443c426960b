import { describe, expect, it } from 'vitest'
import type { PlanNode } from '../../../../test-support/postgres-plans/logged-plans.ts'
import { judgeStatement } from '../../../../test-support/postgres-plans/statement-rule.ts'

const COSTS = { 'Actual Rows': 1, 'Actual Loops': 1, 'Shared Hit Blocks': 0, 'Shared Read Blocks': 0 }

function scan(table: string, condition: string, more: Partial<PlanNode> = {}): PlanNode {
  return {
    ...COSTS,
    'Node Type': 'Index Scan',
    'Relation Name': table,
    Alias: table.slice(0, 1),
    'Index Cond': condition,
    ...more,
  }
}

function join(...plans: readonly PlanNode[]): PlanNode {
  return { ...COSTS, 'Node Type': 'Nested Loop', Plans: plans }
}

const ISSUES = scan('issues', '((project = $1) AND (id = $2))')
const judge = (root: PlanNode) => judgeStatement({ root })

describe('the rule for statements on a cluster', () => {
  it.each<[string, PlanNode]>([
    ['a parameter', ISSUES],
    ['a constant', scan('issues', '(project = 7)')],
    ['a negative one, as the files of projects have', scan('file_chunks', "(project = '-7'::integer)")],
    ['several values', scan('counters', "(project = ANY ('{1,2}'::integer[]))")],
    ['a filter', scan('search', "(tokens @@ '''b'''::tsquery)", { Filter: '(project = $1)' })],
    [
      'a table of the same project',
      join(ISSUES, scan('events', '((project = i.project) AND (position = 1))')),
    ],
    [
      'an index of a bitmap',
      {
        ...scan('reports', ''),
        'Node Type': 'Bitmap Heap Scan',
        Plans: [{ ...COSTS, 'Node Type': 'Bitmap Index Scan', 'Index Cond': '(project = $1)' }],
      },
    ],
    [
      'tables of the coordinator alone',
      join(scan('projects', '(id = $1)'), scan('webhooks', '(project = p.seq)')),
    ],
    ['inserted rows', { ...COSTS, 'Node Type': 'ModifyTable', 'Relation Name': 'events' }],
  ])('accepts %s', (_, root) => {
    expect(judge(root)).toEqual([])
  })

  it('refuses a project that a subquery finds', () => {
    const subquery = scan('projects', '(id = $1)', { 'Parent Relationship': 'InitPlan' })
    const issues = scan('issues', '((project = (InitPlan 1).col1) AND (id = $2))', { Plans: [subquery] })
    expect(judge(issues)).toEqual([
      'reads projects, which is on the coordinator, together with distributed tables',
      'does not name the project of issues as a value',
      'compares projects only with each other',
    ])
  })

  it('refuses a join with a table of the coordinator', () => {
    expect(judge(join(scan('webhooks', '(project = $1)'), scan('deliveries', '(project = $1)')))).toEqual([
      'reads webhooks, which is on the coordinator, together with distributed tables',
    ])
    expect(
      judge({
        ...COSTS,
        'Node Type': 'ModifyTable',
        'Relation Name': 'removed_files',
        Plans: [scan('files', '(project = $1)')],
      }),
    ).toEqual(['reads removed_files, which is on the coordinator, together with distributed tables'])
  })

  it('refuses several projects that come as rows', () => {
    const keys = { ...COSTS, 'Node Type': 'Function Scan', Alias: 'k' }
    expect(judge(join(keys, scan('issues', '(project = k.project)')))).toContain(
      'does not name the project of issues as a value',
    )
  })

  it('refuses rows of all projects, also by their location', () => {
    const whole = scan('files', '(is_suspect = 1)')
    const located = {
      ...scan('comments', ''),
      'Node Type': 'Tid Scan',
      Plans: [scan('comments', '(project = $1)')],
    }
    expect(judge(whole)).toContain('does not name the project of files as a value')
    expect(judge(located)).toEqual(['does not name the project of comments as a value'])
  })

  it('refuses projects that are only compared with each other', () => {
    expect(
      judge(join(scan('issues', '(project = e.project)'), scan('events', '(project = i.project)'))),
    ).toEqual(['compares projects only with each other'])
  })
})
