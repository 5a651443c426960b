import { endpoints, type Project } from '@bugle/contract'
import { queryOptions } from '@tanstack/react-query'
import { client } from '../client.ts'

/** More would not be useful in a menu. */
const MAX_PROJECTS = 500

/** The projects that the person may see, oldest first. */
export const projectsQuery = queryOptions({
  queryKey: ['projects'],
  queryFn: async ({ signal }) => {
    const projects: Project[] = []
    for await (const project of client.items(endpoints.listProjects, { query: { pageSize: 100 }, signal })) {
      if (projects.push(project) >= MAX_PROJECTS) break
    }
    return projects
  },
  staleTime: 60_000,
})

export function statsQuery(slug: string, days = 30) {
  return queryOptions({
    queryKey: ['stats', slug, days],
    queryFn: async ({ signal }) => {
      const input = { params: { idOrSlug: slug }, query: { days }, signal }
      return (await client.call(endpoints.getProjectStats, input)).body
    },
  })
}

/** The statistics of issues created in a period. */
export function periodStatsQuery(slug: string, days: number) {
  return queryOptions({
    queryKey: ['stats', slug, days, 'period'],
    queryFn: async ({ signal }) => {
      const input = { params: { idOrSlug: slug }, query: { days, createdWithinDays: days }, signal }
      return (await client.call(endpoints.getProjectStats, input)).body
    },
  })
}

/** Reports and new issues of the most reported versions, day by day. */
export function versionStatsQuery(slug: string, days: number) {
  return queryOptions({
    queryKey: ['stats', slug, 'versions', days],
    queryFn: async ({ signal }) => {
      const input = { params: { idOrSlug: slug }, query: { days }, signal }
      return (await client.call(endpoints.getVersionStats, input)).body
    },
  })
}

/** App versions in version order, or branches by their last report, that contain a text: by name, without the rest. */
export function seenValuesQuery(kind: 'version' | 'branch', slug: string, q: string, pageSize: number) {
  return queryOptions({
    queryKey: ['stats', slug, kind, q, pageSize],
    queryFn: async ({ signal }) => {
      const query = { pageSize, ...(q !== '' && { q }) }
      const input = { params: { idOrSlug: slug }, query, signal }
      const { data, pagination } =
        kind === 'version'
          ? (await client.call(endpoints.listVersions, input)).body
          : (await client.call(endpoints.listBranches, input)).body
      const named = data.filter(({ includesRest }) => !includesRest)
      return {
        values: named.map((seen) => ('branch' in seen ? seen.branch : seen.appVersion)),
        hasMore: pagination.hasMore,
      }
    },
  })
}

/** The public keys of a project, oldest first. */
export function keysQuery(slug: string) {
  return queryOptions({
    queryKey: ['keys', slug],
    queryFn: async ({ signal }) =>
      (await client.call(endpoints.listProjectKeys, { params: { idOrSlug: slug }, signal })).body.data,
  })
}
