import { endpoints, type ViewCreation, type ViewPatch } from '@bugle/contract'
import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query'
import { client } from '../client.ts'

const ALL_VIEWS = { queryKey: ['views'] }

/** The views of a project: the person's own, and those that others share. */
export function viewsQuery(projectId: string) {
  return queryOptions({
    queryKey: [...ALL_VIEWS.queryKey, projectId],
    queryFn: async ({ signal }) =>
      (await client.call(endpoints.listViews, { query: { projectId }, signal })).body.data,
  })
}

export function useCreateView() {
  const queries = useQueryClient()
  return useMutation({
    mutationFn: async (body: ViewCreation) => (await client.call(endpoints.createView, { body })).body,
    onSuccess: () => queries.invalidateQueries(ALL_VIEWS),
  })
}

export function useChangeView(id: string) {
  const queries = useQueryClient()
  return useMutation({
    mutationFn: async (body: ViewPatch) =>
      (await client.call(endpoints.changeView, { params: { id }, body })).body,
    onSuccess: () => queries.invalidateQueries(ALL_VIEWS),
  })
}

export function useDeleteView() {
  const queries = useQueryClient()
  return useMutation({
    mutationFn: (id: string) => client.call(endpoints.deleteView, { params: { id } }),
    onSuccess: () => queries.invalidateQueries(ALL_VIEWS),
  })
}
