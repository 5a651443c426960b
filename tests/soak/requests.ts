import type { Random } from '../../packages/server/src/demo/random.ts'
import { submissionIdOf } from './fill.ts'

/** A request to send, and its valid statuses. */
export interface SoakRequest {
  readonly method: 'GET' | 'POST' | 'PATCH' | 'DELETE'
  readonly path: string
  readonly body?: object
  readonly key?: string
  readonly statuses: readonly number[]
}

const WEIGHTS = {
  submit: 30,
  repeat: 20,
  replay: 5,
  refused: 5,
  stranger: 3,
  retrieve: 15,
  list: 8,
  search: 5,
  stats: 3,
  feed: 4,
  move: 6,
  remove: 3,
}

/** Everything that apps and teams do, in the proportions of a busy day. */
export function createRequests(random: Random, known: readonly string[]) {
  const issues = [...known]
  let last = 0

  const report = (n: number) => ({
    title: `Report ${n} of a long day`,
    description: 'It happened when the screen was turned. '.repeat(n % 30),
    submissionId: submissionIdOf(`soak-${n}`),
    platform: 'android',
    appVersion: `1.${n % 40}`,
    metadata: { screen: n % 9, isDark: n % 2 === 0 },
  })
  const submit = (body: object, statuses = [200, 201]): SoakRequest => ({
    method: 'POST',
    path: '/v1/issues',
    body,
    statuses,
  })
  const get = (path: string, statuses = [200]): SoakRequest => ({ method: 'GET', path, statuses })
  const some = () => random.pick(issues)

  return {
    next(): SoakRequest {
      switch (random.pickWeighted(WEIGHTS)) {
        case 'submit':
          return submit(report(++last))
        case 'repeat':
          return submit({ ...report(++last), fingerprint: `crash-${random.integer(1, 300)}` })
        case 'replay':
          // It may have been deleted by now, and then its name can be used again.
          return submit(report(random.integer(0, last)), [200, 201, 409])
        case 'refused':
          return submit({ titel: 'Misspelt', priority: 'urgent' }, [422])
        case 'stranger':
          return { ...get('/v1/issues', [401]), key: `bgl_sec_${'x'.repeat(36)}` }
        case 'retrieve':
          return get(`/v1/issues/${some()}`, [200, 404])
        case 'list':
          return get(
            `/v1/issues?pageSize=50&status=open&sort=${random.pick(['newest', 'updated', 'reports'])}`,
          )
        case 'search':
          return get(
            `/v1/issues?q=${encodeURIComponent(random.pick(['screen', 'turned when', '"long day"', 'rep']))}`,
          )
        case 'stats':
          return get('/v1/projects/demo/stats')
        case 'feed':
          return get(`/v1/events?projectId=demo&after=${Math.max(0, last - random.integer(0, 500))}`)
        case 'move': {
          const status = random.pick(['open', 'acknowledged', 'resolved'])
          return {
            method: 'PATCH',
            path: `/v1/issues/${some()}`,
            body: { status },
            statuses: [200, 404, 409],
          }
        }
        case 'remove':
          return { method: 'DELETE', path: `/v1/issues/${some()}`, statuses: [204, 404] }
      }
    },
    /** Adds a new issue to those that later requests can use. */
    remember(id: string): void {
      issues[random.integer(0, issues.length - 1)] = id
    },
  }
}
