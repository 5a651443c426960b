import type { Scope } from './scopes.ts'

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
