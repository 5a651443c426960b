import { Type } from 'typebox'
import type { Effect } from '../endpoints/effects.ts'
import { type Endpoint, endpoint } from '../endpoints/endpoint.ts'
import {
  BODY_ERRORS,
  CHANGE_ERRORS,
  KEY_ERRORS,
  MEDIUM_BODY_BYTES,
  WEBHOOK_BODY_BYTES,
} from '../endpoints/shared.ts'
import { CursorQuery } from '../schemas/pagination.ts'
import { ProjectParams } from '../schemas/projects/projects.ts'
import { AccessTokenList } from './access-tokens.ts'
import { AuditLogPage, AuditLogQuery } from './audit-log.ts'
import { CreatedKey, KeyCreation, KeyPatch, KeySettings, KeySettingsList } from './keys.ts'
import { LabelCreation, LabelPatch, LabelSettings, LabelSettingsList } from './labels.ts'
import {
  Invitation,
  InvitedPerson,
  PersonLink,
  PersonPatch,
  PersonSettings,
  PersonSettingsPage,
} from './people.ts'
import { profileEndpoints } from './profile-endpoints.ts'
import { ProjectCreation, ProjectPatch, ProjectSettings, PublicPreview } from './projects.ts'
import { SdkSettingsPatch, SdkSettingsShown } from './sdk-config.ts'
import { ServerStatus } from './server.ts'

const LabelParams = Type.Object(
  {
    idOrSlug: ProjectParams.properties.idOrSlug,
    name: Type.String({ description: 'The name of the label.' }),
  },
  { additionalProperties: false },
)

const IdParams = Type.Object({ id: Type.String({ description: 'Its id.' }) }, { additionalProperties: false })

const PersonTokenParams = Type.Object(
  {
    id: Type.String({ description: 'The id of the person.' }),
    tokenId: Type.String({ description: 'The id of the token.' }),
  },
  { additionalProperties: false },
)

/** Room for as many features as there may be, each with a long text. */
const SDK_SETTINGS_BODY_BYTES = 512 * 1024

/** Errors of changes: `revision-conflict` if someone else was faster. */
const WRITE_ERRORS = [...CHANGE_ERRORS, ...BODY_ERRORS, 'not-found', 'validation-failed'] as const
const PROTECTS = { kind: 'grants-or-protects' } as const satisfies Effect
const MAKES_PUBLIC = { kind: 'widens-readers', when: { isPublic: [true] } } as const satisfies Effect

/**
 * What admins do in the dashboard's settings, and people on their profile page. Not part of the API: for people only, absent from the OpenAPI document and from
 * the published client, and may change with every release.
 */
export const settingsEndpoints = {
  ...profileEndpoints,

  createProject: endpoint({
    name: 'createProject',
    method: 'POST',
    path: '/admin/projects',
    tag: 'settings',
    summary: 'Create a project',
    description: 'Only for admins of all projects.',
    access: 'admin',
    effect: MAKES_PUBLIC,
    body: ProjectCreation,
    maxBodyBytes: MEDIUM_BODY_BYTES,
    answers: { 201: { description: 'The project.', schema: ProjectSettings } },
    errors: WRITE_ERRORS,
  }),

  getProjectSettings: endpoint({
    name: 'getProjectSettings',
    method: 'GET',
    path: '/admin/projects/{idOrSlug}',
    tag: 'settings',
    summary: 'Get a project',
    description: 'With the revision that a change needs.',
    access: 'admin',
    params: ProjectParams,
    answers: { 200: { description: 'The project.', schema: ProjectSettings } },
    errors: [...KEY_ERRORS, 'not-found'],
  }),

  getPublicPreview: endpoint({
    name: 'getPublicPreview',
    method: 'GET',
    path: '/admin/projects/{idOrSlug}/public-preview',
    tag: 'settings',
    summary: 'Get what anyone could read if a project were public',
    description: 'For the confirmation dialog. Never includes security issues or spam.',
    access: 'admin',
    params: ProjectParams,
    answers: { 200: { description: 'The issues.', schema: PublicPreview } },
    errors: [...KEY_ERRORS, 'not-found'],
  }),

  updateProject: endpoint({
    name: 'updateProject',
    method: 'PATCH',
    path: '/admin/projects/{idOrSlug}',
    tag: 'settings',
    summary: 'Change a project',
    description: 'Changes only the fields that are given.',
    access: 'admin',
    effect: MAKES_PUBLIC,
    params: ProjectParams,
    body: ProjectPatch,
    maxBodyBytes: MEDIUM_BODY_BYTES,
    answers: { 200: { description: 'The project.', schema: ProjectSettings } },
    errors: [...WRITE_ERRORS, 'revision-conflict'],
  }),

  deleteProject: endpoint({
    name: 'deleteProject',
    method: 'DELETE',
    path: '/admin/projects/{idOrSlug}',
    tag: 'settings',
    summary: 'Delete a project',
    description: 'With everything in it. It is gone at once; its rows are removed in the background.',
    access: 'admin',
    effect: { kind: 'destroys-many' },
    params: ProjectParams,
    answers: { 204: { description: 'The project is deleted.' } },
    errors: [...CHANGE_ERRORS, 'not-found'],
  }),

  listInstanceKeys: endpoint({
    name: 'listInstanceKeys',
    method: 'GET',
    path: '/admin/keys',
    tag: 'settings',
    summary: 'List the keys for all projects',
    description: 'Only for admins of all projects.',
    access: 'admin',
    answers: { 200: { description: 'The keys.', schema: KeySettingsList } },
    errors: KEY_ERRORS,
  }),

  listKeys: endpoint({
    name: 'listKeys',
    method: 'GET',
    path: '/admin/projects/{idOrSlug}/keys',
    tag: 'settings',
    summary: 'List the keys of a project',
    description: 'Of both kinds, with revoked ones.',
    access: 'admin',
    params: ProjectParams,
    answers: { 200: { description: 'The keys.', schema: KeySettingsList } },
    errors: [...KEY_ERRORS, 'not-found'],
  }),

  createKey: endpoint({
    name: 'createKey',
    method: 'POST',
    path: '/admin/keys',
    tag: 'settings',
    summary: 'Create a key',
    description: 'The response is the only one with the token of a secret key.',
    access: 'admin',
    effect: PROTECTS,
    body: KeyCreation,
    maxBodyBytes: WEBHOOK_BODY_BYTES,
    answers: { 201: { description: 'The key.', schema: CreatedKey } },
    errors: WRITE_ERRORS,
  }),

  updateKey: endpoint({
    name: 'updateKey',
    method: 'PATCH',
    path: '/admin/keys/{id}',
    tag: 'settings',
    summary: 'Change the name or the origins of a key',
    description: 'Scopes cannot be changed: create another key.',
    access: 'admin',
    effect: { kind: 'widens-readers', when: { origins: 'given' } },
    params: IdParams,
    body: KeyPatch,
    maxBodyBytes: WEBHOOK_BODY_BYTES,
    answers: { 200: { description: 'The key.', schema: KeySettings } },
    errors: [...WRITE_ERRORS, 'revision-conflict'],
  }),

  revokeKey: endpoint({
    name: 'revokeKey',
    method: 'DELETE',
    path: '/admin/keys/{id}',
    tag: 'settings',
    summary: 'Revoke a key',
    description: 'Permanently. Revoking it again changes nothing.',
    access: 'admin',
    effect: PROTECTS,
    params: IdParams,
    answers: { 204: { description: 'The key is revoked.' } },
    errors: [...CHANGE_ERRORS, 'not-found'],
  }),

  getSdkSettings: endpoint({
    name: 'getSdkSettings',
    method: 'GET',
    path: '/admin/projects/{idOrSlug}/sdk-config',
    tag: 'settings',
    summary: 'Get the SDK configuration of a project',
    description: 'With the revision that a change needs.',
    access: 'admin',
    params: ProjectParams,
    answers: { 200: { description: 'The configuration.', schema: SdkSettingsShown } },
    errors: [...KEY_ERRORS, 'not-found'],
  }),

  updateSdkSettings: endpoint({
    name: 'updateSdkSettings',
    method: 'PATCH',
    path: '/admin/projects/{idOrSlug}/sdk-config',
    tag: 'settings',
    summary: 'Change the SDK configuration of a project, or preview a change',
    description: 'Changes only the fields that are given. A running server applies it within a second.',
    access: 'admin',
    params: ProjectParams,
    body: SdkSettingsPatch,
    maxBodyBytes: SDK_SETTINGS_BODY_BYTES,
    answers: { 200: { description: 'The configuration.', schema: SdkSettingsShown } },
    errors: [...WRITE_ERRORS, 'revision-conflict'],
  }),

  listLabelSettings: endpoint({
    name: 'listLabelSettings',
    method: 'GET',
    path: '/admin/projects/{idOrSlug}/labels',
    tag: 'settings',
    summary: 'List the labels of a project',
    description: 'With the revisions that changes need.',
    access: 'admin',
    params: ProjectParams,
    answers: { 200: { description: 'The labels.', schema: LabelSettingsList } },
    errors: [...KEY_ERRORS, 'not-found'],
  }),

  createLabel: endpoint({
    name: 'createLabel',
    method: 'POST',
    path: '/admin/projects/{idOrSlug}/labels',
    tag: 'settings',
    summary: 'Create a label',
    description: 'For the issues of the project.',
    access: 'admin',
    params: ProjectParams,
    body: LabelCreation,
    maxBodyBytes: MEDIUM_BODY_BYTES,
    answers: { 201: { description: 'The label.', schema: LabelSettings } },
    errors: [...WRITE_ERRORS, 'limit-reached'],
  }),

  updateLabel: endpoint({
    name: 'updateLabel',
    method: 'PATCH',
    path: '/admin/projects/{idOrSlug}/labels/{name}',
    tag: 'settings',
    summary: 'Rename a label or change its colour',
    description: 'Its issues keep it.',
    access: 'admin',
    params: LabelParams,
    body: LabelPatch,
    maxBodyBytes: MEDIUM_BODY_BYTES,
    answers: { 200: { description: 'The label.', schema: LabelSettings } },
    errors: [...WRITE_ERRORS, 'revision-conflict'],
  }),

  deleteLabel: endpoint({
    name: 'deleteLabel',
    method: 'DELETE',
    path: '/admin/projects/{idOrSlug}/labels/{name}',
    tag: 'settings',
    summary: 'Delete a label',
    description: 'It is taken from all issues.',
    access: 'admin',
    params: LabelParams,
    answers: { 204: { description: 'The label is deleted.' } },
    errors: [...CHANGE_ERRORS, 'not-found'],
  }),

  listPersonSettings: endpoint({
    name: 'listPersonSettings',
    method: 'GET',
    path: '/admin/people',
    tag: 'settings',
    summary: 'List people',
    description: 'Those whose projects the admin has access to, oldest first.',
    access: 'admin',
    query: CursorQuery,
    answers: { 200: { description: 'Some people.', schema: PersonSettingsPage } },
    errors: [...KEY_ERRORS, 'invalid-parameter', 'invalid-cursor'],
  }),

  invitePerson: endpoint({
    name: 'invitePerson',
    method: 'POST',
    path: '/admin/people',
    tag: 'settings',
    summary: 'Invite a person',
    description: 'The response has the one-time link to send them.',
    access: 'admin',
    effect: PROTECTS,
    body: Invitation,
    maxBodyBytes: WEBHOOK_BODY_BYTES,
    answers: { 201: { description: 'The person, and their link.', schema: InvitedPerson } },
    errors: WRITE_ERRORS,
  }),

  updatePerson: endpoint({
    name: 'updatePerson',
    method: 'PATCH',
    path: '/admin/people/{id}',
    tag: 'settings',
    summary: 'Change a person',
    description:
      'No one can grant a right that they do not hold, or take it from a person who holds it. The last admin and the last person who can see security issues cannot lose that right.',
    access: 'admin',
    effect: PROTECTS,
    params: IdParams,
    body: PersonPatch,
    maxBodyBytes: WEBHOOK_BODY_BYTES,
    answers: { 200: { description: 'The person.', schema: PersonSettings } },
    errors: [...WRITE_ERRORS, 'revision-conflict', 'last-admin', 'last-security-holder'],
  }),

  createPersonLink: endpoint({
    name: 'createPersonLink',
    method: 'POST',
    path: '/admin/people/{id}/link',
    tag: 'settings',
    summary: 'Create a one-time link for a person',
    description: 'For a first or a forgotten password. It replaces their earlier links.',
    access: 'admin',
    effect: PROTECTS,
    params: IdParams,
    answers: { 201: { description: 'The link.', schema: PersonLink } },
    errors: [...CHANGE_ERRORS, 'not-found'],
  }),

  removePerson: endpoint({
    name: 'removePerson',
    method: 'DELETE',
    path: '/admin/people/{id}',
    tag: 'settings',
    summary: 'Remove a person',
    description: 'Their sessions end. What they did stays in the history.',
    access: 'admin',
    effect: PROTECTS,
    params: IdParams,
    answers: { 204: { description: 'The person is removed.' } },
    errors: [...CHANGE_ERRORS, 'not-found', 'last-admin', 'last-security-holder'],
  }),

  listPersonTokens: endpoint({
    name: 'listPersonTokens',
    method: 'GET',
    path: '/admin/people/{id}/access-tokens',
    tag: 'settings',
    summary: "List a person's personal access tokens",
    description: 'Only people can create tokens, for themselves. Admins can revoke them.',
    access: 'admin',
    params: IdParams,
    answers: { 200: { description: 'The tokens.', schema: AccessTokenList } },
    errors: [...KEY_ERRORS, 'not-found'],
  }),

  revokePersonToken: endpoint({
    name: 'revokePersonToken',
    method: 'DELETE',
    path: '/admin/people/{id}/access-tokens/{tokenId}',
    tag: 'settings',
    summary: "Revoke one of a person's personal access tokens",
    description: 'Permanently.',
    access: 'admin',
    effect: PROTECTS,
    params: PersonTokenParams,
    answers: { 204: { description: 'The token is revoked.' } },
    errors: [...CHANGE_ERRORS, 'not-found'],
  }),

  getServerStatus: endpoint({
    name: 'getServerStatus',
    method: 'GET',
    path: '/admin/server',
    tag: 'settings',
    summary: 'Get the state of the server',
    description: 'Only for admins of all projects.',
    access: 'admin',
    answers: { 200: { description: 'The state.', schema: ServerStatus } },
    errors: KEY_ERRORS,
  }),

  listAuditLog: endpoint({
    name: 'listAuditLog',
    method: 'GET',
    path: '/admin/audit-log',
    tag: 'settings',
    summary: 'Read the audit log',
    description: 'Newest first. Admins of some projects see the entries of these projects.',
    access: 'admin',
    query: AuditLogQuery,
    answers: { 200: { description: 'Some entries.', schema: AuditLogPage } },
    errors: [...KEY_ERRORS, 'invalid-parameter', 'invalid-cursor'],
  }),
} as const satisfies Readonly<Record<string, Endpoint>>
