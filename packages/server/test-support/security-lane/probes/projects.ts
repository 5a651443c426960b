import { EVENT_TYPES } from '@bugle/contract'
import type { Answer } from '../../start-app.ts'
import { followCursors, type Probe } from './prober.ts'

/** How the lane is checked for projects, their events and statistics, and for the server. */
export const PROJECT_PROBES: Readonly<Record<string, Probe>> = {
  async listEvents(prober) {
    const { ask, listen, place } = prober
    const path = `/v1/events?projectId=${place.project.slug}`
    await ask({ path: '/v1/events' })
    for (const type of EVENT_TYPES) await ask({ path: `${path}&type=${type}` })
    for (const id of ['0', '20.open', '9999.open'])
      await listen({ path, headers: { accept: 'text/event-stream', 'last-event-id': id } })
    // A reset reveals where the log ends.
    for (let after = 0; after < 60; after += 3) await ask({ path: `${path}&limit=1&after=${after}` })
    for (const limit of [1, 3]) {
      let after: number | undefined = 0
      while (after !== undefined) {
        const { body }: Answer = await ask({ path: `${path}&limit=${limit}&after=${after}` })
        after = body.hasMore ? body.nextAfter : undefined
      }
    }
  },

  async listProjects({ ask }) {
    await ask({ path: '/v1/projects' })
    await followCursors((cursor) => ask({ path: `/v1/projects?pageSize=1${cursor}` }))
  },

  async getProject({ ask, place: { project } }) {
    const { headers } = await ask({ path: `/v1/projects/${project.slug}` })
    await ask({ path: `/v1/projects/${project.id}` })
    await ask({
      path: `/v1/projects/${project.slug}`,
      headers: { 'if-none-match': headers.get('etag') ?? '*' },
    })
  },

  async listProjectKeys({ ask, place }) {
    await ask({ path: `/v1/projects/${place.project.slug}/keys` })
  },

  async getProjectStats({ ask, place }) {
    for (const query of [
      '',
      '?days=1',
      '?days=7',
      '?days=365',
      '?days=0',
      '?createdWithinDays=7',
      '?createdWithinDays=365',
      '?from=2026-11-01T00:00:00Z&to=2026-11-11T00:00:00Z',
      '?from=2026-11-10T11:00:00Z',
    ])
      await ask({ path: `/v1/projects/${place.project.slug}/stats${query}` })
  },

  async getVersionStats({ ask, place: { project } }) {
    for (const query of ['', '?days=1', '?days=90', '?days=0'])
      await ask({ path: `/v1/projects/${project.slug}/stats/versions${query}` })
  },

  async listLabels({ ask, place: { project } }) {
    for (const name of [project.slug, project.id]) await ask({ path: `/v1/projects/${name}/labels` })
  },

  async listPeople({ ask, place: { project } }) {
    await followCursors((cursor) => ask({ path: `/v1/projects/${project.slug}/people?pageSize=1${cursor}` }))
    for (const query of ['', '?forSecurity=true', '?forSecurity=false', '?cursor=WyJ4IiwxXQ'])
      await ask({ path: `/v1/projects/${project.id}/people${query}` })
  },

  async listVersions({ ask, place: { project } }) {
    await followCursors((cursor) =>
      ask({ path: `/v1/projects/${project.slug}/versions?pageSize=1${cursor}` }),
    )
    for (const query of ['', '?q=2.4', '?q=9.9', '?cursor=WyJ4IiwxXQ'])
      await ask({ path: `/v1/projects/${project.id}/versions${query}` })
  },

  async listBranches({ ask, place: { project } }) {
    await followCursors((cursor) =>
      ask({ path: `/v1/projects/${project.slug}/branches?pageSize=1${cursor}` }),
    )
    for (const query of ['', '?q=main', '?q=hole', '?cursor=WyJ4IiwxXQ'])
      await ask({ path: `/v1/projects/${project.id}/branches${query}` })
  },

  async getSdkConfig({ ask }) {
    const { headers } = await ask({ path: '/v1/sdk-config' })
    await ask({ path: '/v1/sdk-config', headers: { 'if-none-match': headers.get('etag') ?? '*' } })
  },

  async checkHealth({ ask }) {
    await ask({ path: '/healthz' })
  },

  async checkReadiness({ ask }) {
    await ask({ path: '/readyz' })
  },

  // Only the operator sees the metrics, which are for the whole server.
  async readMetrics({ ask }) {
    await ask({ path: '/metrics' })
  },
}
