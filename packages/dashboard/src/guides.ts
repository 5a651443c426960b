// Generated from packages/server/src/http/pages/guides.ts by `npm run docs`. Edit there, not here.

/** A page of the documentation that the server serves. */
export interface GuideLink {
  readonly title: string
  /** Its address on this server. */
  readonly path: string
  readonly group: string
}

/** Every guide, and the reference, in the order in which the documentation lists them. */
export const GUIDE_LINKS: readonly GuideLink[] = [
  { title: 'Documentation', path: '/docs', group: 'Documentation' },
  { title: 'API reference', path: '/docs/reference', group: 'Documentation' },
  { title: 'Problems', path: '/problems', group: 'Documentation' },
  { title: 'Getting started', path: '/docs/getting-started', group: 'Using Bugle' },
  { title: 'The API by task', path: '/docs/api', group: 'Using Bugle' },
  { title: 'Webhooks', path: '/docs/webhooks', group: 'Using Bugle' },
  { title: 'Migrating to Bugle', path: '/docs/migrating', group: 'Using Bugle' },
  { title: 'Using Sentry’s SDKs', path: '/docs/sentry', group: 'Using Bugle' },
  { title: 'Errors', path: '/docs/errors', group: 'Using Bugle' },
  { title: 'FAQ', path: '/docs/faq', group: 'Using Bugle' },
  { title: 'The SDK', path: '/docs/sdk', group: 'In your app' },
  { title: 'Browser', path: '/docs/sdk-browser', group: 'In your app' },
  { title: 'The widget', path: '/docs/sdk-widget', group: 'In your app' },
  { title: 'React', path: '/docs/sdk-react', group: 'In your app' },
  { title: 'Vue', path: '/docs/sdk-vue', group: 'In your app' },
  { title: 'Next.js', path: '/docs/sdk-nextjs', group: 'In your app' },
  { title: 'Svelte', path: '/docs/sdk-svelte', group: 'In your app' },
  { title: 'Angular', path: '/docs/sdk-angular', group: 'In your app' },
  { title: 'Node', path: '/docs/sdk-node', group: 'In your app' },
  { title: 'Electron', path: '/docs/sdk-electron', group: 'In your app' },
  { title: 'React Native', path: '/docs/sdk-react-native', group: 'In your app' },
  { title: 'Conversations', path: '/docs/sdk-conversations', group: 'In your app' },
  { title: 'How reports are delivered', path: '/docs/sdk-delivery', group: 'In your app' },
  { title: 'Feature flags', path: '/docs/sdk-features', group: 'In your app' },
  { title: 'Privacy', path: '/docs/sdk-privacy', group: 'In your app' },
  { title: 'Sizes', path: '/docs/sdk-sizes', group: 'In your app' },
  { title: 'Configuration', path: '/docs/configuration', group: 'Running a server' },
  { title: 'Operating', path: '/docs/operating', group: 'Running a server' },
  { title: 'Behind a reverse proxy', path: '/docs/reverse-proxy', group: 'Running a server' },
  { title: 'Moving between databases', path: '/docs/moving', group: 'Running a server' },
  { title: 'Scaling', path: '/docs/scaling', group: 'Running a server' },
  { title: 'Security model', path: '/docs/security', group: 'Running a server' },
  { title: 'Reporting a vulnerability', path: '/docs/security-policy', group: 'Running a server' },
  { title: 'Performance', path: '/docs/performance', group: 'Background' },
  { title: 'Reliability', path: '/docs/reliability', group: 'Background' },
  { title: 'Decisions', path: '/docs/decisions', group: 'Background' },
  { title: 'Changelog', path: '/docs/changelog', group: 'Background' },
]
