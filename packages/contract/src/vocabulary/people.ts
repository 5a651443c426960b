import type { Scope } from './keys.ts'

/** The roles of people, with a one-line description of each. */
export const ROLES = {
  viewer: 'reads issues, projects and events',
  triager: 'reads and changes issues',
  admin: 'reads, changes and deletes issues, and manages webhooks',
} as const

export type Role = keyof typeof ROLES
export const ALL_ROLES = Object.keys(ROLES) as readonly Role[]

const READING = ['issues:read', 'projects:read', 'events:read'] as const satisfies readonly Scope[]
const TRIAGE = [...READING, 'issues:triage'] as const satisfies readonly Scope[]

const ROLE_SCOPES: Readonly<Record<Role, readonly Scope[]>> = {
  viewer: READING,
  triager: TRIAGE,
  admin: [...TRIAGE, 'issues:delete', 'webhooks:manage'],
}

/** The scopes that a person has: those of the role, plus `security:read` if it was granted. */
export function scopesOf(role: Role, canSeeSecurity: boolean): readonly Scope[] {
  return canSeeSecurity ? [...ROLE_SCOPES[role], 'security:read'] : ROLE_SCOPES[role]
}

/** What a one-time link is for: the first password of a person, or a new one. */
export const LINK_PURPOSES = ['first', 'reset'] as const

/** The session cookie. With https, its name prefix binds it to this host (RFC 6265bis, 4.1.3). */
export const SESSION_COOKIE = 'bugle_session'
export const SECURE_SESSION_COOKIE = `__Host-${SESSION_COOKIE}`

/** The header that a change with a session cookie needs: pages of other origins cannot send it, because no preflight allows it. */
export const CSRF_HEADER = 'Bugle-Csrf'
