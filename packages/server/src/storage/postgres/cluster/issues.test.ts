import { describe, expect, it } from 'vitest'
import { pretendCluster } from '../../../../test-support/citus-stand-in.ts'
import { changeOf } from '../../../../test-support/issue-lists/seed.ts'
import { addProject, plainReport } from '../../../../test-support/plain-reports.ts'
import { setNodes } from '../../../../test-support/several-nodes.ts'
import { createRandom } from '../../../demo/random.ts'
import type { UserId } from '../../../model/ids.ts'
import type { UserRecord } from '../../../model/people/users.ts'
import type { ProjectRecord } from '../../../model/projects.ts'
import type { NewReport } from '../../../model/reports/reports.ts'

const ADA = 'usr_01m8z3v9q8e1r8m6n0p4s2t7wx' as UserId

describe('issues of several projects on a cluster', () => {
  const stage = setNodes()

  it('are unassigned from the same people as on one PostgreSQL', async () => {
    const ordinary = await stage.openNode()
    const projects = [await addProject(ordinary), await addProject(ordinary, 'other')]
    const toAda = { patch: { assigneeId: ADA }, laneAssignee: ADA }
    for (const project of projects)
      for (const category of ['crash', 'security'] as const) {
        const report = reportOf(project, category)
        await ordinary.issues.submit(report)
        await ordinary.issues.change({ ...changeOf(project, report.issueId, createRandom(1)), ...toAda })
      }
    await pretendCluster(stage.url)
    const cluster = await stage.openNode()
    const [first] = projects
    for (const [projectIds, canSeeSecurity, count] of [
      [null, true, 0],
      [null, false, 2],
      [[first?.id], true, 2],
      [[first?.id], false, 3],
    ] as const) {
      const user = { id: ADA, projectIds, canSeeSecurity } as UserRecord
      const found = await cluster.issues.listUnassignable(ADA, user, 10)
      expect(found).toHaveLength(count)
      expect(found).toEqual(
        expect.arrayContaining([...(await ordinary.issues.listUnassignable(ADA, user, 10))]),
      )
    }
    expect(await cluster.issues.listUnassignable(ADA, undefined, 10)).toHaveLength(4)
    expect(await cluster.issues.listUnassignable(ADA, undefined, 3)).toHaveLength(3)
  })

  it('have a revision that changes with them, and only for those who see them', async () => {
    await pretendCluster(stage.url)
    const { issues, ...storage } = await stage.openNode()
    const project = await addProject({ issues, ...storage })
    const revisions = async () => [
      await issues.revision(project.id, ['open']),
      await issues.revision(project.id, ['open', 'security']),
    ]
    const before = await revisions()
    await issues.submit(reportOf(project, 'security'))
    const [open, all] = await revisions()
    expect(open).toBe(before[0])
    expect(all).not.toBe(before[1])
    await issues.submit(plainReport(project))
    expect((await revisions())[0]).not.toBe(open)
  })
})

function reportOf(project: ProjectRecord, category: 'crash' | 'security'): NewReport {
  const report = plainReport(project)
  return { ...report, content: { ...report.content, category } }
}
