import { ALL_ROLES, ALL_SCOPES, type ErrorCode, type Role, type Scope } from '@bugle/contract'
import { hashToken } from '../../src/domain/projects/keys.ts'
import type { TestApp, TestProject } from '../start-app.ts'

const PAGE = 'https://app.example'
const OTHER_PAGE = 'https://elsewhere.example'

/** The project in which the calls are made. */
export interface Stage {
  readonly api: TestApp
  readonly otherProject: TestProject
}

/** A caller. `home` is the project of the call. */
export interface Caller {
  /** A key, or the cookie of a person. */
  makeKey(stage: Stage, home: TestProject): Promise<string | undefined>
  readonly kind: 'nobody' | 'public' | 'secret' | 'person' | 'token'
  readonly scopes?: readonly Scope[]
  readonly role?: Role
  /** The projects that it has access to; by default, the requested one. */
  readonly reach?: 'other' | 'all'
  readonly origin?: string
  readonly headers?: Readonly<Record<string, string>>
  /** Whether they have signed in more than 15 minutes ago. */
  readonly hasOldSignIn?: true
  /** What is wrong with the credential itself. */
  readonly fault?: ErrorCode
  /** Only requests other than GET are refused because of it. */
  readonly isFaultOfChanges?: true
}

const secret = (scopes: readonly Scope[]): Caller => ({
  kind: 'secret',
  scopes,
  makeKey: ({ api }, project) => api.addKey({ project, scopes }),
})

/** What a person with this role may do, as scopes: the table of the design. */
const SCOPES_BY_ROLE: Readonly<Record<Role, readonly Scope[]>> = {
  viewer: ['issues:read', 'projects:read', 'events:read'],
  triager: ['issues:read', 'projects:read', 'events:read', 'issues:triage'],
  admin: ['issues:read', 'projects:read', 'events:read', 'issues:triage', 'issues:delete', 'webhooks:manage'],
}

const person = (role: Role, canSeeSecurity: boolean, reach?: 'other' | 'all'): Caller => ({
  kind: 'person',
  role,
  scopes: [...SCOPES_BY_ROLE[role], ...(canSeeSecurity ? (['security:read'] as const) : [])],
  ...(reach && { reach }),
  makeKey({ api, otherProject }, home) {
    const projects = { all: undefined, other: [otherProject], home: [home] }[reach ?? 'home']
    return api.addUser({ role, canSeeSecurity, ...(projects && { projects }) })
  },
})

interface TokenOptions {
  /** The owner is given by their role and their right. */
  readonly role: Role
  readonly canSeeSecurity?: boolean
  readonly scopes?: readonly Scope[]
  readonly reach?: 'other' | 'all'
}

/** A personal access token. It may do what both its scopes and its owner allow, and nothing in the settings. */
const token = ({ role, canSeeSecurity = false, scopes = ALL_SCOPES, reach }: TokenOptions): Caller => {
  const held = [...SCOPES_BY_ROLE[role], ...(canSeeSecurity ? (['security:read'] as const) : [])]
  return {
    kind: 'token',
    scopes: held.filter((scope) => scopes.includes(scope)),
    ...(reach && { reach }),
    async makeKey({ api, otherProject }, home) {
      const projects = { all: undefined, other: [otherProject], home: [home] }[reach ?? 'home']
      const options = { role, canSeeSecurity, scopes, ...(projects && { projects }) }
      return (await api.addToken(options)).token
    },
  }
}

const TOKENS: Readonly<Record<string, Caller>> = {
  'a token of an admin': token({ role: 'admin', canSeeSecurity: true }),
  'a token of an admin of all projects': token({ role: 'admin', canSeeSecurity: true, reach: 'all' }),
  'a token of an admin of another project': token({ role: 'admin', canSeeSecurity: true, reach: 'other' }),
  'a token of an admin who has lost the right security': token({ role: 'admin' }),
  'a token of an admin with only issues:read': token({ role: 'admin', scopes: ['issues:read'] }),
  'a token of an admin who is only a viewer now': token({ role: 'viewer', canSeeSecurity: true }),
  'a token of a triager with only issues:triage': token({ role: 'triager', scopes: ['issues:triage'] }),
  'a token of a viewer who is no longer what its scopes need': token({
    role: 'viewer',
    scopes: ['issues:delete'],
  }),
  'a token on a page': {
    ...token({ role: 'admin', canSeeSecurity: true }),
    origin: PAGE,
    fault: 'secret-key-in-browser',
  },
  'an expired token': {
    ...token({ role: 'admin' }),
    fault: 'invalid-credentials',
    makeKey: async ({ api }) => (await api.addToken({ expiresAt: 1 })).token,
  },
  'a revoked token': {
    ...token({ role: 'admin' }),
    fault: 'invalid-credentials',
    async makeKey({ api }) {
      const { token, record } = await api.addToken()
      await api.app.storage.accessTokens.revoke(record.id)
      return token
    },
  },
  'a token of a person who was removed': {
    ...token({ role: 'viewer' }),
    fault: 'invalid-credentials',
    async makeKey({ api }) {
      const { token, user } = await api.addToken({ role: 'viewer' })
      await api.app.storage.users.delete(user.id)
      return token
    },
  },
}

const PEOPLE = Object.fromEntries(
  ALL_ROLES.flatMap((role) =>
    [true, false].flatMap((canSeeSecurity) => {
      const who = `a ${role} ${canSeeSecurity ? 'with' : 'without'} the right security`
      return [
        [who, person(role, canSeeSecurity)],
        [`${who}, of all projects`, person(role, canSeeSecurity, 'all')],
        [`${who}, of another project`, person(role, canSeeSecurity, 'other')],
      ] as const
    }),
  ),
)

/** With every right, and a sign-in that is no longer recent. */
export const OLD_SIGN_IN = 'an admin who signed in 32 minutes ago'

export const CALLERS: Readonly<Record<string, Caller>> = {
  ...PEOPLE,
  'a person whose request does not come from the dashboard': {
    ...person('admin', true, 'all'),
    headers: { 'bugle-csrf': '0' },
    fault: 'csrf-header-required',
    isFaultOfChanges: true,
  },
  'a person from a page of another site': {
    ...person('admin', true, 'all'),
    headers: { 'sec-fetch-site': 'cross-site' },
    fault: 'csrf-header-required',
    isFaultOfChanges: true,
  },
  [OLD_SIGN_IN]: {
    ...person('admin', true, 'all'),
    hasOldSignIn: true,
    makeKey: ({ api }) => api.addUser({ canSeeSecurity: true, signedInAt: Date.now() - 32 * 60_000 }),
  },
  // Anonymous: an unknown cookie counts as no cookie.
  'a person who has signed out': {
    kind: 'nobody',
    async makeKey({ api }) {
      const cookie = await api.addUser()
      await api.send('DELETE', '/session', { key: cookie })
      return cookie
    },
  },
  nobody: { kind: 'nobody', makeKey: async () => undefined },
  'a public key': { kind: 'public', makeKey: async (_, { publicKey }) => publicKey },
  'a public key on its page': {
    kind: 'public',
    origin: PAGE,
    makeKey: ({ api }, project) => api.addKey({ project, kind: 'public', origins: [PAGE] }),
  },
  'a public key on another page': {
    kind: 'public',
    origin: OTHER_PAGE,
    fault: 'origin-not-allowed',
    makeKey: ({ api }, project) => api.addKey({ project, kind: 'public', origins: [PAGE] }),
  },
  'a public key of another project': {
    kind: 'public',
    reach: 'other',
    makeKey: async ({ otherProject }) => otherProject.publicKey,
  },
  'a secret key without scopes': secret([]),
  ...Object.fromEntries(ALL_SCOPES.map((scope) => [`a secret key with only ${scope}`, secret([scope])])),
  'a secret key with every scope': secret(ALL_SCOPES),
  'a secret key on a page': {
    ...secret(ALL_SCOPES),
    origin: PAGE,
    fault: 'secret-key-in-browser',
  },
  'a secret key of another project': {
    ...secret(ALL_SCOPES),
    reach: 'other',
    makeKey: async ({ otherProject }) => otherProject.secretKey,
  },
  'a key for all projects': { ...secret(ALL_SCOPES), reach: 'all', makeKey: ({ api }) => api.addKey({}) },
  'a key for all projects without scopes': {
    ...secret([]),
    reach: 'all',
    makeKey: ({ api }) => api.addKey({ scopes: [] }),
  },
  'a revoked key': {
    ...secret(ALL_SCOPES),
    fault: 'invalid-credentials',
    async makeKey({ api }, project) {
      const token = await api.addKey({ project })
      const key = await api.app.storage.keys.findByHash(hashToken(token))
      if (key !== undefined) await api.app.storage.keys.revoke(key.id, 0)
      return token
    },
  },
  ...TOKENS,
  'a mistyped key': {
    ...secret(ALL_SCOPES),
    fault: 'invalid-credentials',
    makeKey: async (_, { secretKey }) => `${secretKey.slice(0, -1)}!`,
  },
}
