import { endpoints, type Project } from '@bugle/contract'
import { queryOptions } from '@tanstack/react-query'
import { client } from './client.ts'

/** More would be no use in a menu. */
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

/** The figures of a period: of issues that were created in its days. */
export function periodStatsQuery(slug: string, days: number) {
  return queryOptions({
    queryKey: ['stats', slug, days, 'period'],
    queryFn: async ({ signal }) => {
      const input = { params: { idOrSlug: slug }, query: { days, createdWithinDays: days }, signal }
      return (await client.call(endpoints.getProjectStats, input)).body
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
