import { expect, it } from 'vitest'
import { setIssueStage } from '../../../../test-support/issue-stage.ts'
import { createReporter, type TestReporter } from '../../../../test-support/reporters.ts'
import type { TestProject } from '../../../../test-support/start-app.ts'
import { createRandom } from '../../../demo/random.ts'

const stage = setIssueStage({ isOnDisk: true })
const STEPS = 80
const PATIENT = { timeout: 300_000 }

interface Known {
  readonly reporter: TestReporter
  tag: string
}

it.each([1, 2, 3])(
  'a poll gets 304 if and only if nothing has changed for the reporter (seed %i)',
  PATIENT,
  async (seed) => {
    const random = createRandom(seed)
    const project = await stage.api.addProject()
    const people: Known[] = []
    for (let count = 0; count < 4; count++)
      people.push({ reporter: createReporter(stage.api, project), tag: '"none"' })
    const world = createWorld(project, people, (most) => random.integer(0, most))
    const names = Object.keys(world.steps) as (keyof typeof world.steps)[]
    const taken: string[] = []
    let unchanged = 0
    for (let step = 0; step < STEPS; step++) {
      const name = names[random.integer(0, names.length - 1)] ?? 'submit'
      taken.push(name)
      await world.steps[name]()
      for (const [index, known] of people.entries()) {
        // Some tags grow old.
        if (random.integer(0, 1) === 0) continue
        const polled = await known.reporter.ask('/reports', { tag: known.tag })
        const { headers } = await known.reporter.ask('/reports')
        const tag = `${headers.get('etag')}`
        expect([index, polled.status, taken.join(' ')]).toEqual([
          index,
          tag === known.tag ? 304 : 200,
          taken.join(' '),
        ])
        if (polled.status === 304) unchanged++
        known.tag = tag
      }
    }
    expect(unchanged).toBeGreaterThan(STEPS / 4)
  },
)

interface Report {
  readonly issueId: string
  readonly reportId: string
  readonly owner: TestReporter
}

/** What may happen. A request that no longer makes sense is refused, which changes nothing. */
function createWorld(project: TestProject, people: readonly Known[], below: (most: number) => number) {
  const key = project.secretKey
  const reports: Report[] = []
  let count = 0
  const send = (method: string, path: string, body?: object) =>
    stage.api.send(method, `/v1/issues/${path}`, { key, ...(body && { body }) })
  const pick = <T>(items: readonly T[]): T | undefined => items[below(Math.max(0, items.length - 1))]
  const onReport = (work: (report: Report) => Promise<unknown>) => async () => {
    const report = pick(reports)
    if (report !== undefined) await work(report)
  }
  const submit = async (report: object) => {
    const owner = pick(people)?.reporter
    if (owner !== undefined) reports.push({ ...(await owner.submit(report)), owner })
  }
  const comment = (report: Report, fields: object) =>
    send('POST', `${report.issueId}/comments`, { commentId: `comment-${++count}`, text: 'Hello', ...fields })
  const change = (report: Report, body: object) => send('PATCH', report.issueId, body)
  const steps = {
    submit: () => submit({}),
    join: () => submit({ fingerprint: `shared-${below(1)}`, title: `Report ${++count}` }),
    submitSecret: () => submit({ category: 'security' }),
    submitAlone: () => stage.api.send('POST', '/v1/issues', { key, body: { title: 'Of no one' } }),
    replyToAll: onReport((report) => comment(report, { audience: 'reporters' })),
    replyToOne: onReport((report) => comment(report, { audience: 'reporters', reportId: report.reportId })),
    discuss: onReport((report) => comment(report, {})),
    editReply: onReport((report) =>
      send('PATCH', `${report.issueId}/comments/comment-${count}`, { text: `Edited ${++count}` }),
    ),
    deleteReply: onReport((report) => send('DELETE', `${report.issueId}/comments/comment-${count}`)),
    message: onReport(({ owner, reportId }) => owner.write(reportId, 'Hello')),
    read: onReport(async ({ owner, reportId }) => {
      const { body } = await owner.ask(`/reports/${reportId}/messages`)
      const messageId = body.data?.at(-1)?.id
      if (messageId !== undefined)
        await owner.ask(`/reports/${reportId}/read`, { method: 'PUT', body: { messageId } })
    }),
    rename: onReport((report) => change(report, { title: `Renamed ${++count}` })),
    resolve: onReport((report) =>
      change(report, { status: 'resolved', fixedIn: { appVersion: `1.${++count}` } }),
    ),
    reopen: onReport((report) => change(report, { status: 'open' })),
    hide: onReport((report) => change(report, { category: below(1) === 0 ? 'security' : 'bug' })),
    merge: onReport((report) =>
      send('POST', `${report.issueId}/merge`, { into: pick(reports)?.issueId ?? '' }),
    ),
    unmerge: onReport((report) => send('POST', `${report.issueId}/unmerge`)),
    spam: onReport((report) => send('POST', `${report.issueId}/spam`, {})),
    noSpam: onReport((report) => send('DELETE', `${report.issueId}/spam`)),
    block: onReport(({ issueId, reportId }) => send('PUT', `${issueId}/reports/${reportId}/block`)),
    unblock: onReport(({ issueId, reportId }) => send('DELETE', `${issueId}/reports/${reportId}/block`)),
    deleteReport: onReport(({ issueId, reportId }) => send('DELETE', `${issueId}/reports/${reportId}`)),
    deleteIssue: onReport(async (report) => {
      if (below(3) === 0) await send('DELETE', report.issueId)
    }),
  }
  return { steps }
}
