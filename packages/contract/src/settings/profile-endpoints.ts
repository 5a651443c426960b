import { Type } from 'typebox'
import { type Endpoint, endpoint } from '../endpoints/endpoint.ts'
import { BODY_ERRORS, CHANGE_ERRORS, KEY_ERRORS, MEDIUM_BODY_BYTES } from '../endpoints/shared.ts'
import { Session } from '../schemas/people/session.ts'
import { AccessTokenCreation, AccessTokenList, CreatedAccessToken } from './access-tokens.ts'
import { ProfilePatch } from './profile.ts'

const IdParams = Type.Object({ id: Type.String({ description: 'Its id.' }) }, { additionalProperties: false })

/** What people do on their profile page. Sessions and the password are part of `sessionEndpoints`. */
export const profileEndpoints = {
  updateProfile: endpoint({
    name: 'updateProfile',
    method: 'PATCH',
    path: '/session/profile',
    tag: 'settings',
    summary: "Change one's own name or email address",
    description: 'Changes only the fields that are given. All sessions stay.',
    access: 'signed-in',
    // People sign in with the address.
    effect: { kind: 'grants-or-protects', when: { email: 'given' } },
    body: ProfilePatch,
    maxBodyBytes: MEDIUM_BODY_BYTES,
    answers: { 200: { description: 'The session.', schema: Session } },
    errors: [...CHANGE_ERRORS, ...BODY_ERRORS, 'validation-failed'],
  }),

  listAccessTokens: endpoint({
    name: 'listAccessTokens',
    method: 'GET',
    path: '/session/access-tokens',
    tag: 'settings',
    summary: "List one's own personal access tokens",
    description: 'At most 50.',
    access: 'signed-in',
    answers: { 200: { description: 'The tokens.', schema: AccessTokenList } },
    errors: KEY_ERRORS,
  }),

  createAccessToken: endpoint({
    name: 'createAccessToken',
    method: 'POST',
    path: '/session/access-tokens',
    tag: 'settings',
    summary: 'Create a personal access token',
    description: 'The response is the only one with the token.',
    access: 'signed-in',
    effect: { kind: 'grants-or-protects' },
    body: AccessTokenCreation,
    maxBodyBytes: MEDIUM_BODY_BYTES,
    answers: { 201: { description: 'The token.', schema: CreatedAccessToken } },
    errors: [...CHANGE_ERRORS, ...BODY_ERRORS, 'validation-failed', 'limit-reached'],
  }),

  revokeAccessToken: endpoint({
    name: 'revokeAccessToken',
    method: 'DELETE',
    path: '/session/access-tokens/{id}',
    tag: 'settings',
    summary: "Revoke one of one's own personal access tokens",
    description: 'Permanently. Needs no recent sign-in, because it takes rights away.',
    access: 'signed-in',
    params: IdParams,
    answers: { 204: { description: 'The token is revoked.' } },
    errors: [...CHANGE_ERRORS, 'not-found'],
  }),
} as const satisfies Readonly<Record<string, Endpoint>>
