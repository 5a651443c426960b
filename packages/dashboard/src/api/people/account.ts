import { endpoints as api, type PasswordChange } from '@bugle/contract'
import {
  type AccessTokenCreation,
  settingsEndpoints as endpoints,
  type ProfilePatch,
} from '@bugle/contract/settings'
import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query'
import { client } from '../client.ts'
import { sessionQuery } from './session.ts'

/** The person's sessions. */
export const signInsQuery = queryOptions({
  queryKey: ['sign-ins'],
  queryFn: async ({ signal }) => (await client.call(api.listSignIns, { signal })).body.data,
})

/** The person's own access tokens. */
export const accessTokensQuery = queryOptions({
  queryKey: ['access-tokens'],
  queryFn: async ({ signal }) => (await client.call(endpoints.listAccessTokens, { signal })).body.data,
})

export function useEndSignIn() {
  const queries = useQueryClient()
  return useMutation({
    mutationFn: (id: string) => client.call(api.endSignIn, { params: { id } }),
    onSuccess: () => queries.invalidateQueries(signInsQuery),
  })
}

export function useChangePassword() {
  const queries = useQueryClient()
  return useMutation({
    mutationFn: (body: PasswordChange) => client.call(api.changePassword, { body }),
    onSuccess: () => queries.invalidateQueries(signInsQuery),
  })
}

/** A new session for the same person; the one before ends. */
export function useSignInAgain() {
  const queries = useQueryClient()
  return async (email: string, password: string): Promise<void> => {
    const { data } = (await client.call(api.listSignIns)).body
    const earlier = data.find(({ isCurrent }) => isCurrent)
    const { body: session } = await client.call(api.signIn, { body: { email, password } })
    queries.setQueryData(sessionQuery.queryKey, session)
    if (earlier !== undefined) await client.call(api.endSignIn, { params: { id: earlier.id } })
  }
}

/** The changes of a profile. Each refreshes what it concerns. */
export function useProfile() {
  const queries = useQueryClient()
  return {
    async update(body: ProfilePatch): Promise<void> {
      const { body: session } = await client.call(endpoints.updateProfile, { body })
      queries.setQueryData(sessionQuery.queryKey, session)
    },
    async createToken(body: AccessTokenCreation) {
      const { body: created } = await client.call(endpoints.createAccessToken, { body })
      await queries.invalidateQueries(accessTokensQuery)
      return created
    },
    async revokeToken(id: string): Promise<void> {
      await client.call(endpoints.revokeAccessToken, { params: { id } })
      await queries.invalidateQueries(accessTokensQuery)
    },
  }
}
