import type { Scope } from '@bugle/contract'
import type { CreatedKey, KeyCreation, KeyPatch, KeySettings } from '@bugle/contract/settings'
import { isId, projectNumberOf } from '../../model/ids.ts'
import { type KeyRecord, revisionOfKey } from '../../model/keys.ts'
import type { UserCaller } from '../access/access.ts'
import { badMember, DomainError, notFound } from '../domain-error.ts'
import { isoTime } from '../iso-time.ts'
import { isOrigin, mintKey } from '../projects/keys.ts'
import { isWithin, requireAllProjects, requireOwnProject, revisionConflict } from './admins.ts'
import type { AdministrationDependencies } from './projects.ts'

/** Keys in the settings. */
export interface KeyAdministration {
  /** The keys of a project; without one, the keys for all projects. */
  list(admin: UserCaller, idOrSlug: string | null): Promise<{ data: KeySettings[] }>
  create(admin: UserCaller, given: KeyCreation): Promise<CreatedKey>
  update(admin: UserCaller, id: string, patch: KeyPatch): Promise<KeySettings>
  revoke(admin: UserCaller, id: string): Promise<void>
}

export function createKeyAdministration({
  storage,
  clock,
  refresh,
}: AdministrationDependencies): KeyAdministration {
  const keysOf = ({ user }: UserCaller) => storage.actingAs(user.id, clock).keys

  async function projectIdOf(admin: UserCaller, idOrSlug: string | null) {
    if (idOrSlug !== null) return requireOwnProject(admin, await storage.projects.find(idOrSlug)).id
    requireAllProjects(admin)
    return null
  }

  async function requireKey({ user }: UserCaller, id: string): Promise<KeyRecord> {
    const key = isId('key', id) ? await storage.keys.find(id) : undefined
    if (key === undefined || !isWithin(user, key.projectId && [key.projectId])) throw notFound()
    return key
  }

  return {
    async list(admin, idOrSlug) {
      const keys = await storage.keys.list(await projectIdOf(admin, idOrSlug))
      return { data: keys.map(showKey) }
    },

    async create(admin, given) {
      const projectId = await projectIdOf(admin, given.projectId ?? null)
      checkCreation(given, admin)
      const { key, token } = mintKey({
        projectId,
        kind: given.kind,
        name: nameOf(given.name),
        scopes: given.scopes ?? [],
        origins: checkOrigins(given.origins),
        createdAt: clock(),
      })
      if ((await keysOf(admin).create(key)) === 'no-project') throw notFound()
      await refresh()
      return { ...showKey(key), token }
    },

    async update(admin, id, { revision, name, origins }) {
      const key = await requireKey(admin, id)
      if (key.kind === 'secret' && origins?.length) throw originsOfSecretKey()
      const change = {
        ...(name !== undefined && { name: nameOf(name) }),
        ...(origins !== undefined && { origins: checkOrigins(origins) }),
      }
      const updated = await keysOf(admin).update(key.id, change, revision)
      if (updated === 'missing') throw notFound()
      if (updated === 'stale') throw revisionConflict()
      await refresh()
      return showKey(updated)
    },

    async revoke(admin, id) {
      const outcome = await keysOf(admin).revoke((await requireKey(admin, id)).id, clock())
      if (outcome === 'missing') throw notFound()
      await refresh()
    },
  }
}

/** Rules of keys that a schema cannot express, and the rule that no one grants a right they do not hold. */
function checkCreation({ kind, projectId, scopes = [], origins = [] }: KeyCreation, admin: UserCaller): void {
  if (kind === 'public' && scopes.length > 0)
    throw badMember('scopes', 'unexpected', 'scopes must be omitted: a public key has none.')
  if (kind === 'public' && !projectId)
    throw badMember('projectId', 'required', 'projectId is required: a public key belongs to one project.')
  if (kind === 'secret' && origins.length > 0) throw originsOfSecretKey()
  if (kind === 'secret' && scopes.length === 0)
    throw badMember('scopes', 'required', 'scopes must have at least one scope.')
  const security: Scope = 'security:read'
  if (scopes.includes(security) && !admin.user.canSeeSecurity) {
    throw new DomainError('insufficient-scope', {
      detail: `Only a person who sees security issues can create a key with the scope "${security}".`,
    })
  }
}

function originsOfSecretKey(): DomainError {
  return badMember('origins', 'unexpected', 'origins must be omitted: a secret key must never be in a page.')
}

function checkOrigins(origins: readonly string[] = []): readonly string[] {
  const wrong = origins.find((origin) => !isOrigin(origin))
  if (wrong === undefined) return [...new Set(origins)]
  throw badMember('origins', 'origin', `"${wrong}" is not an origin; write it like https://app.example.com.`)
}

function nameOf(name: string | null | undefined): string | null {
  return name?.trim() || null
}

function showKey(key: KeyRecord): KeySettings {
  const { id, projectId, kind, name, token, ending, createdAt, lastUsedAt, revokedAt } = key
  return {
    ...{ id, projectId, kind, name, token, ending },
    projectNumber: projectId === null ? null : projectNumberOf(projectId),
    scopes: [...key.scopes],
    origins: [...key.origins],
    createdAt: isoTime(createdAt),
    lastUsedAt: lastUsedAt === null ? null : isoTime(lastUsedAt),
    revokedAt: revokedAt === null ? null : isoTime(revokedAt),
    revision: revisionOfKey(key),
  }
}
