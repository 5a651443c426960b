/** What a secret key may be allowed to do, and what each scope means in one line. */
export const SCOPES = {
  'issues:create': 'submit issues',
  'issues:read': 'retrieve and list issues, their history and where they happened',
  'issues:triage': 'change issues: status, priority, category, title, description, fixedIn',
  'issues:delete': 'delete issues',
  'security:read': 'see issues of the category security',
  'projects:read': 'list projects, their public keys and their statistics',
  'events:read': 'follow the event feed and the live stream',
  'webhooks:manage': 'create, change and delete webhooks and read their deliveries',
} as const

export type Scope = keyof typeof SCOPES
export const ALL_SCOPES = Object.keys(SCOPES) as readonly Scope[]
