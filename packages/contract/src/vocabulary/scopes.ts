/** The scopes of secret keys, with a one-line description of each. */
export const SCOPES = {
  'issues:create': 'submit issues',
  'issues:read':
    'retrieve and list issues, their history, their comments and their reports, and list the people they can be assigned to',
  'issues:triage':
    'change issues: status, priority, category, title, description, fixedIn, assignee, labels; write comments',
  'issues:delete': 'delete issues',
  'security:read': 'see issues of the category security',
  'projects:read': 'list projects, their labels, their public keys and their statistics',
  'events:read': 'follow the event feed and the live stream',
  'webhooks:manage': 'create, change and delete webhooks and read their deliveries',
} as const

export type Scope = keyof typeof SCOPES
export const ALL_SCOPES = Object.keys(SCOPES) as readonly Scope[]
