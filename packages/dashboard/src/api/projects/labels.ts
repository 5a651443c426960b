import { endpoints, type Label } from '@bugle/contract'
import { queryOptions, useQuery } from '@tanstack/react-query'
import { client } from '../client.ts'

/** The labels of a project, by name. */
export function labelsQuery(slug: string) {
  return queryOptions({
    queryKey: ['labels', slug],
    queryFn: async ({ signal }) =>
      (await client.call(endpoints.listLabels, { params: { idOrSlug: slug }, signal })).body.data,
    staleTime: 60_000,
  })
}

/** The colour of each label, by name. */
export function useLabelColours(slug: string, isNeeded: boolean): ReadonlyMap<string, string> {
  const { data = NO_LABELS } = useQuery({ ...labelsQuery(slug), enabled: isNeeded })
  return new Map(data.map(({ name, colour }) => [name, colour]))
}

const NO_LABELS: readonly Label[] = []
