import { IssuePatch, IssueSubmission } from '@bugle/contract'
import { describe, expect, it } from 'vitest'
import { checkBody } from '../http/input/validate.ts'
import { planDemo } from './plan.ts'

const DAY_MS = 24 * 60 * 60 * 1_000
const now = Date.parse('2026-11-15T12:00:00Z')
const options = { count: 300, days: 60, seed: 1, now }
const steps = planDemo(options)
const reports = steps.flatMap((step) => (step.kind === 'report' ? [step] : []))
const changes = steps.flatMap((step) => (step.kind === 'change' ? [step] : []))
const firsts = [...new Map(reports.toReversed().map((report) => [report.issue, report])).values()]
const share = (count: number) => count / firsts.length

describe('the plan of a demo', () => {
  it('depends only on the seed', () => {
    expect(planDemo(options)).toEqual(steps)
    expect(planDemo({ ...options, seed: 2 })).not.toEqual(steps)
  })

  it('does not depend on the day', () => {
    const titles = (day: number) =>
      new Set(
        planDemo({ ...options, now: now + day * DAY_MS })
          .flatMap(titleOf)
          .toSorted(),
      )
    expect(titles(3)).toEqual(titles(0))
  })

  it('has the requested number of issues, in order and within the days', () => {
    expect(firsts).toHaveLength(300)
    expect(steps).toEqual(steps.toSorted((a, b) => a.at - b.at))
    for (const { at } of steps) {
      expect(at).toBeGreaterThanOrEqual(now - 60 * DAY_MS)
      expect(at).toBeLessThanOrEqual(now)
      expect(at).toBe(Math.round(at))
    }
  })

  it('contains only what the API would accept', () => {
    const checkSubmission = checkBody(IssueSubmission)
    const checkPatch = checkBody(IssuePatch)
    for (const { submission } of reports) expect(checkSubmission(submission)).toEqual(submission)
    for (const { patch } of changes) expect(checkPatch(patch)).toEqual(patch)
  })

  it('is varied: titles, categories, platforms, repeats and statuses', () => {
    expect(new Set(firsts.flatMap(titleOf)).size).toBeGreaterThan(270)
    expect(JSON.stringify(steps)).not.toMatch(/\{(?:screen|recipe|list|food|store|step)\}/)
    for (const category of ['bug', 'crash', 'performance', 'ui_ux', 'security'])
      expect(
        share(firsts.filter(({ submission }) => submission.category === category).length),
      ).toBeGreaterThan(0.02)
    for (const platform of ['ios', 'android', 'web', 'macos', 'windows'])
      expect(reports.some(({ submission }) => submission.platform === platform)).toBe(true)
    for (const status of ['acknowledged', 'in_progress', 'resolved', 'closed', 'wontfix'])
      expect(share(changes.filter(({ patch }) => patch.status === status).length)).toBeGreaterThan(0.05)
    expect(reports.length).toBeGreaterThan(600)
  })

  it('has crashes with exceptions: of several languages, with causes and with source lines', () => {
    const thrown = reports.flatMap(({ submission }) => (submission.exception ? [submission.exception] : []))
    expect(new Set(thrown.map(([first]) => first?.type)).size).toBeGreaterThan(3)
    expect(thrown.some(({ length }) => length > 1)).toBe(true)
    expect(thrown.some(([first]) => first?.frames?.some(({ context }) => context))).toBe(true)
  })

  it('uses newer app versions over time', () => {
    const versions = (from: number, to: number) =>
      new Set(
        reports.filter(({ at }) => at >= from && at < to).map(({ submission }) => submission.appVersion),
      )
    expect(versions(0, now - 55 * DAY_MS)).not.toContain('3.5.0')
    expect(versions(now - 5 * DAY_MS, now)).toContain('4.0.0')
  })
})

function titleOf(step: (typeof steps)[number]): string[] {
  return step.kind === 'report' ? [step.submission.title] : []
}
