import type { Project } from '@bugle/contract'
import {
  type AuditLogQuery,
  settingsEndpoints as endpoints,
  type Invitation,
  type KeyCreation,
  type KeyPatch,
  type LabelCreation,
  type LabelPatch,
  type PersonPatch,
  type PersonSettings,
  type ProjectCreation,
  type ProjectPatch,
  type SdkSettingsPatch,
} from '@bugle/contract/settings'
import { infiniteQueryOptions, queryOptions, useQueryClient } from '@tanstack/react-query'
import { client } from './client.ts'
import { sessionQuery } from './people/session.ts'
import { projectsQuery } from './projects/projects.ts'

/** More would not be useful on a page. */
const MAX_PEOPLE = 1_000
const ENTRIES_A_PAGE = 50
/** `bugle audit export` has no such limit. */
const MAX_EXPORTED = 50_000

/** A project, with the revision that a change needs. */
export function projectSettingsQuery(idOrSlug: string) {
  return queryOptions({
    queryKey: ['settings', 'project', idOrSlug],
    queryFn: async ({ signal }) =>
      (await client.call(endpoints.getProjectSettings, { params: { idOrSlug }, signal })).body,
  })
}

/** What anyone could read if the project were public. */
export function publicPreviewQuery(idOrSlug: string) {
  return queryOptions({
    queryKey: ['settings', 'public-preview', idOrSlug],
    queryFn: async ({ signal }) =>
      (await client.call(endpoints.getPublicPreview, { params: { idOrSlug }, signal })).body,
  })
}

/** The keys of a project; without one, the keys for all projects. */
export function keySettingsQuery(idOrSlug: string | null) {
  return queryOptions({
    queryKey: ['settings', 'keys', idOrSlug],
    queryFn: async ({ signal }) => {
      const { body } =
        idOrSlug === null
          ? await client.call(endpoints.listInstanceKeys, { signal })
          : await client.call(endpoints.listKeys, { params: { idOrSlug }, signal })
      return body.data
    },
  })
}

/** The labels of a project, with the revisions that changes need. */
export function labelSettingsQuery(idOrSlug: string) {
  return queryOptions({
    queryKey: ['settings', 'labels', idOrSlug],
    queryFn: async ({ signal }) =>
      (await client.call(endpoints.listLabelSettings, { params: { idOrSlug }, signal })).body.data,
  })
}

/** The people that the admin may change, by name. */
export const personSettingsQuery = queryOptions({
  queryKey: ['settings', 'people'],
  queryFn: async ({ signal }) => {
    const people: PersonSettings[] = []
    for await (const person of client.items(endpoints.listPersonSettings, {
      query: { pageSize: 100 },
      signal,
    })) {
      if (people.push(person) >= MAX_PEOPLE) break
    }
    return people.sort((one, other) => one.name.localeCompare(other.name))
  },
})

/** The SDK configuration of a project. */
export function sdkSettingsQuery(idOrSlug: string) {
  return queryOptions({
    queryKey: ['settings', 'sdk-config', idOrSlug],
    queryFn: async ({ signal }) =>
      (await client.call(endpoints.getSdkSettings, { params: { idOrSlug }, signal })).body,
  })
}

/** The state of the server. */
export const serverStatusQuery = queryOptions({
  queryKey: ['settings', 'server'],
  queryFn: async ({ signal }) => (await client.call(endpoints.getServerStatus, { signal })).body,
})

/** The access tokens of a person. */
export function personTokensQuery(id: string) {
  return queryOptions({
    queryKey: ['settings', 'person-tokens', id],
    queryFn: async ({ signal }) =>
      (await client.call(endpoints.listPersonTokens, { params: { id }, signal })).body.data,
  })
}

/** The audit log, newest first. */
export function auditLogQuery(filters: Pick<AuditLogQuery, 'action' | 'projectId' | 'actor'>) {
  return infiniteQueryOptions({
    queryKey: ['settings', 'audit-log', filters],
    queryFn: async ({ pageParam: cursor, signal }) => {
      const query = { ...filters, pageSize: ENTRIES_A_PAGE, ...(cursor && { cursor }) }
      return (await client.call(endpoints.listAuditLog, { query, signal })).body
    },
    initialPageParam: undefined as string | undefined,
    getNextPageParam: ({ pagination }) => pagination.nextCursor ?? undefined,
  })
}

/** All entries of the audit log that match, newest first, one JSON object a line. */
export async function readAuditLog(filters: Pick<AuditLogQuery, 'action' | 'projectId'>): Promise<string> {
  const lines: string[] = []
  for await (const entry of client.items(endpoints.listAuditLog, { query: { ...filters, pageSize: 100 } }))
    if (lines.push(JSON.stringify(entry)) >= MAX_EXPORTED) break
  return `${lines.join('\n')}\n`
}

/** The changes of the settings. Each refreshes what it concerns. */
export function useSettings() {
  const queries = useQueryClient()
  const refresh = async () => {
    await queries.invalidateQueries({ queryKey: ['settings'] })
  }
  const refreshLabels = async () => {
    await Promise.all([queries.invalidateQueries({ queryKey: ['labels'] }), refresh()])
  }
  // The person may be the one who is signed in.
  const refreshPeople = async () => {
    await Promise.all([queries.refetchQueries(sessionQuery), refresh()])
  }
  const refreshProjects = async () => {
    await Promise.all([queries.refetchQueries(projectsQuery), refresh()])
  }
  const afterwards = async <T>(change: Promise<{ readonly body: T }>, then = refresh): Promise<T> => {
    const { body } = await change
    await then()
    return body
  }
  return {
    refresh,
    createProject: (body: ProjectCreation) =>
      afterwards(client.call(endpoints.createProject, { body }), refreshProjects),
    updateProject: (idOrSlug: string, body: ProjectPatch) =>
      afterwards(client.call(endpoints.updateProject, { params: { idOrSlug }, body }), refreshProjects),
    async deleteProject(project: Pick<Project, 'id'>): Promise<void> {
      await client.call(endpoints.deleteProject, { params: { idOrSlug: project.id } })
      await queries.refetchQueries(projectsQuery)
    },
    /** What a change would do. */
    previewSdk: async (idOrSlug: string, body: SdkSettingsPatch) =>
      (
        await client.call(endpoints.updateSdkSettings, {
          params: { idOrSlug },
          body: { ...body, isPreview: true },
        })
      ).body,
    updateSdk: (idOrSlug: string, body: SdkSettingsPatch) =>
      afterwards(client.call(endpoints.updateSdkSettings, { params: { idOrSlug }, body })),
    createKey: (body: KeyCreation) => afterwards(client.call(endpoints.createKey, { body })),
    updateKey: (id: string, body: KeyPatch) =>
      afterwards(client.call(endpoints.updateKey, { params: { id }, body })),
    revokeKey: (id: string) => afterwards(client.call(endpoints.revokeKey, { params: { id } })),
    createLabel: (idOrSlug: string, body: LabelCreation) =>
      afterwards(client.call(endpoints.createLabel, { params: { idOrSlug }, body }), refreshLabels),
    updateLabel: (idOrSlug: string, name: string, body: LabelPatch) =>
      afterwards(client.call(endpoints.updateLabel, { params: { idOrSlug, name }, body }), refreshLabels),
    deleteLabel: (idOrSlug: string, name: string) =>
      afterwards(client.call(endpoints.deleteLabel, { params: { idOrSlug, name } }), refreshLabels),
    invite: (body: Invitation) => afterwards(client.call(endpoints.invitePerson, { body })),
    updatePerson: (id: string, body: PersonPatch) =>
      afterwards(client.call(endpoints.updatePerson, { params: { id }, body }), refreshPeople),
    revokeToken: (id: string, tokenId: string) =>
      afterwards(client.call(endpoints.revokePersonToken, { params: { id, tokenId } })),
    createLink: (id: string) => afterwards(client.call(endpoints.createPersonLink, { params: { id } })),
    removePerson: (id: string) => afterwards(client.call(endpoints.removePerson, { params: { id } })),
  }
}
