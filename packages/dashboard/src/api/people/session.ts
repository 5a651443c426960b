import { ApiProblem } from '@bugle/client'
import { endpoints, type Scope, type Session } from '@bugle/contract'
import { queryOptions, useQuery } from '@tanstack/react-query'
import { client } from '../client.ts'

/** Who is signed in; `null` if no one is. */
export const sessionQuery = queryOptions({
  queryKey: ['session'],
  queryFn: async ({ signal }): Promise<Session | null> => {
    try {
      return (await client.call(endpoints.getSession, { signal })).body
    } catch (error) {
      if (error instanceof ApiProblem && error.status === 401) return null
      throw error
    }
  },
  staleTime: Number.POSITIVE_INFINITY,
})

/** The id of the person who is signed in. */
export function useMe(): string | undefined {
  return useQuery(sessionQuery).data?.user.id
}

/** Whether the person may do what needs this scope: the page does not offer what they may not do. */
export function useMay(scope: Scope): boolean {
  const { data: session } = useQuery(sessionQuery)
  return session?.user.scopes.includes(scope) ?? false
}
