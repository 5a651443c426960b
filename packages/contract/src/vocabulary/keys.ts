/** `public` may be part of an app: it submits reports and reads the SDK configuration. `secret` has scopes. */
export const KEY_KINDS = ['public', 'secret'] as const
export type KeyKind = (typeof KEY_KINDS)[number]

export const KEY_PREFIXES: Readonly<Record<KeyKind, string>> = { public: 'bgl_pub_', secret: 'bgl_sec_' }
/** Personal access tokens: keys of a person, with some of the person's rights. */
export const ACCESS_TOKEN_PREFIX = 'bgl_pat_'
export const KEY_RANDOM_CHARS = 30
export const KEY_CHECKSUM_CHARS = 6

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
