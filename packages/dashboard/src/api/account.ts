import { endpoints, type PasswordChange } from '@bugle/contract'
import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query'
import { client } from './client.ts'

/** The person's sessions. */
export const signInsQuery = queryOptions({
  queryKey: ['sign-ins'],
  queryFn: async ({ signal }) => (await client.call(endpoints.listSignIns, { signal })).body.data,
})

export function useEndSignIn() {
  const queries = useQueryClient()
  return useMutation({
    mutationFn: (id: string) => client.call(endpoints.endSignIn, { params: { id } }),
    onSuccess: () => queries.invalidateQueries(signInsQuery),
  })
}

export function useChangePassword() {
  const queries = useQueryClient()
  return useMutation({
    mutationFn: (body: PasswordChange) => client.call(endpoints.changePassword, { body }),
    onSuccess: () => queries.invalidateQueries(signInsQuery),
  })
}
