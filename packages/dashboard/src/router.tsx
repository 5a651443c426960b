import type { QueryClient } from '@tanstack/react-query'
import { createRootRouteWithContext, createRoute, createRouter, redirect } from '@tanstack/react-router'
import { sessionQuery } from './api/people/session.ts'
import { projectsQuery } from './api/projects/projects.ts'
import { INBOX_SEARCH } from './shell/inbox-address.ts'
import { lastProject } from './shell/last-project.ts'
import { lazyPart } from './shell/lazy-part.ts'
import { NotFound } from './shell/not-found.tsx'
import { PageFailure, RootFailure } from './shell/page-failure.tsx'
import { ProjectLayout } from './shell/project-layout.tsx'
import { Root } from './shell/root.tsx'
import { Shell } from './shell/shell.tsx'

/** READ FIRST: every route of the dashboard. Each page is a separate chunk, loaded when it is opened. */
const root = createRootRouteWithContext<{ queries: QueryClient }>()({
  component: Root,
  notFoundComponent: NotFound,
  errorComponent: RootFailure,
})

const signIn = createRoute({
  getParentRoute: () => root,
  path: '/sign-in',
  component: lazyPart(() => import('./pages/sign-in/sign-in-page.tsx'), 'SignInPage'),
})

/** All routes below require a session. People who are not signed in sign in first and then return. */
const signedIn = createRoute({
  getParentRoute: () => root,
  id: 'signed-in',
  component: Shell,
  async beforeLoad({ context: { queries }, location }) {
    const session = await queries.ensureQueryData(sessionQuery)
    if (session === null) throw redirect({ to: '/sign-in', search: { from: location.href }, replace: true })
  },
})

const home = createRoute({
  getParentRoute: () => signedIn,
  path: '/',
  component: lazyPart(() => import('./pages/home/home-page.tsx'), 'HomePage'),
  async beforeLoad({ context: { queries } }) {
    const project = lastProject(await queries.ensureQueryData(projectsQuery))
    if (project === undefined) return
    const params = { slug: project.slug }
    throw redirect({ to: '/projects/$slug/issues', params, search: INBOX_SEARCH, replace: true })
  },
})

const account = createRoute({
  getParentRoute: () => signedIn,
  path: '/account',
  component: lazyPart(() => import('./pages/account/account-page.tsx'), 'AccountPage'),
})

/** Only for admins; the server refuses others. One route for all pages of the settings, which most people never open. */
const administration = createRoute({
  getParentRoute: () => signedIn,
  path: '/settings/$',
  component: lazyPart(() => import('./pages/settings/settings.tsx'), 'Settings'),
})

/** The issues of all projects. */
const everywhere = createRoute({
  getParentRoute: () => signedIn,
  path: '/issues',
  component: lazyPart(() => import('./pages/everywhere/everywhere-page.tsx'), 'EverywherePage'),
})

/** Redirects to the URL with the issue number. Webhook messages and old links contain the id instead. */
const issueById = createRoute({
  getParentRoute: () => signedIn,
  path: '/issues/$id',
  component: lazyPart(() => import('./pages/issue/issue-by-id.tsx'), 'IssueById'),
})

const project = createRoute({
  getParentRoute: () => signedIn,
  path: '/projects/$slug',
  component: ProjectLayout,
})

const projectHome = createRoute({
  getParentRoute: () => project,
  path: '/',
  beforeLoad({ params }) {
    throw redirect({ to: '/projects/$slug/issues', params, search: INBOX_SEARCH, replace: true })
  },
})

const inbox = createRoute({
  getParentRoute: () => project,
  path: '/issues',
  component: lazyPart(() => import('./pages/inbox/inbox-page.tsx'), 'InboxPage'),
})

const issue = createRoute({
  getParentRoute: () => project,
  path: '/issues/$issueNumber',
  component: lazyPart(() => import('./pages/issue/issue-page.tsx'), 'IssuePage'),
})

const newIssue = createRoute({
  getParentRoute: () => project,
  path: '/new',
  component: lazyPart(() => import('./pages/new-issue/new-issue-page.tsx'), 'NewIssuePage'),
})

const insights = createRoute({
  getParentRoute: () => project,
  path: '/insights',
  component: lazyPart(() => import('./pages/insights/insights-page.tsx'), 'InsightsPage'),
})

const settings = createRoute({
  getParentRoute: () => project,
  path: '/settings',
  component: lazyPart(() => import('./pages/project/project-page.tsx'), 'ProjectPage'),
})

const routeTree = root.addChildren([
  signIn,
  signedIn.addChildren([
    home,
    account,
    everywhere,
    issueById,
    administration,
    project.addChildren([projectHome, inbox, issue, newIssue, insights, settings]),
  ]),
])

export function createPageRouter(queries: QueryClient) {
  return createRouter({
    routeTree,
    context: { queries },
    defaultPreload: 'intent',
    defaultErrorComponent: PageFailure,
    // URLs are read by people and stored in saved views, so their queries are plain text, not the router's JSON.
    parseSearch: (search) => Object.fromEntries(new URLSearchParams(search)),
    stringifySearch: (search) => {
      const text = new URLSearchParams(search as Record<string, string>).toString()
      return text === '' ? '' : `?${text}`
    },
  })
}

declare module '@tanstack/react-router' {
  interface Register {
    router: ReturnType<typeof createPageRouter>
  }
}
