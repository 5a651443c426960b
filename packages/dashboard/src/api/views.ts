import { endpoints, type ViewCreation } from '@bugle/contract'
import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query'
import { client } from './client.ts'

/** The person's saved views, of all projects. */
export const viewsQuery = queryOptions({
  queryKey: ['views'],
  queryFn: async ({ signal }) => (await client.call(endpoints.listViews, { signal })).body.data,
})

export function useCreateView() {
  const queries = useQueryClient()
  return useMutation({
    mutationFn: async (body: ViewCreation) => (await client.call(endpoints.createView, { body })).body,
    onSuccess: () => queries.invalidateQueries(viewsQuery),
  })
}

export function useDeleteView() {
  const queries = useQueryClient()
  return useMutation({
    mutationFn: (id: string) => client.call(endpoints.deleteView, { params: { id } }),
    onSuccess: () => queries.invalidateQueries(viewsQuery),
  })
}
