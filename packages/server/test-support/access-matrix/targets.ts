import { type Endpoint, endpoints } from '@bugle/contract'

/** What a call is about. */
export interface Target {
  readonly home: 'private' | 'public'
  /** Whether the project exists, and whether the resource in it exists. */
  readonly exists: { readonly project: boolean; readonly thing: boolean }
}

export const TARGETS: Readonly<Record<string, Target>> = {
  'in a private project': { home: 'private', exists: { project: true, thing: true } },
  'in a public project': { home: 'public', exists: { project: true, thing: true } },
  'missing in a private project': { home: 'private', exists: { project: true, thing: false } },
  'missing in a public project': { home: 'public', exists: { project: true, thing: false } },
  'of a project that does not exist': { home: 'private', exists: { project: false, thing: false } },
}

type About = 'thing' | 'own thing' | 'project' | 'the project of the key' | 'nothing'

/** How an endpoint receives its target. */
export function aboutOf({ name, path, query, body, access }: Endpoint): About {
  if (path.includes('{issueNumber}') || path.includes('{submissionId}')) return 'thing'
  if (path.startsWith('/v1/my/')) return path.includes('{reportId}') ? 'thing' : 'the project of the key'
  if (path.includes('{id}')) return access === 'signed-in' ? 'own thing' : 'thing'
  if (
    path.includes('{idOrSlug}') ||
    path.includes('{projectNumber}') ||
    namesProject(query) ||
    namesProject(body)
  )
    return 'project'
  const ofTheKey: readonly string[] = [
    endpoints.submitIssue.name,
    endpoints.getSdkConfig.name,
    endpoints.searchKnownIssues.name,
  ]
  return ofTheKey.includes(name) ? 'the project of the key' : 'nothing'
}

export function namesProject(schema: object = {}): boolean {
  return 'projectId' in ((schema as { properties?: object }).properties ?? {})
}
