import { existsSync } from 'node:fs'
import { dirname, join, posix } from 'node:path'

/** A document in the repository that is served at `/docs/{name}`. */
export interface Guide {
  readonly name: string
  /** Its path from the root of the repository, which is the same in an installed package. */
  readonly file: string
  /** Its name in the list of guides. */
  readonly title: string
  /** Its subpages. The list of guides shows them only on this guide and on the subpages themselves. */
  readonly pages?: readonly Guide[]
}

export interface GuideGroup {
  readonly title: string
  readonly guides: readonly Guide[]
}

/** The page at `/docs` itself. */
export const GUIDE_INDEX: Guide = { name: '', file: 'docs/README.md', title: 'Documentation' }

export const REFERENCE_PATH = '/docs/reference'

/** Every guide, in the order of the list. */
export const GUIDE_GROUPS: readonly GuideGroup[] = [
  {
    title: 'Using Bugle',
    guides: [
      guide('getting-started', 'Getting started'),
      guide('api', 'The API by task'),
      guide('webhooks', 'Webhooks'),
      guide('migrating', 'Migrating to Bugle'),
      guide('sentry', 'Using Sentry’s SDKs'),
      guide('errors', 'Errors'),
      guide('faq', 'FAQ'),
    ],
  },
  {
    title: 'In your app',
    guides: [
      { name: 'sdk', file: 'packages/sdk/README.md', title: 'The SDK' },
      sdkGuide('browser', 'Browser'),
      sdkGuide('widget', 'The widget'),
      sdkGuide('react', 'React'),
      sdkGuide('vue', 'Vue'),
      sdkGuide('nextjs', 'Next.js'),
      sdkGuide('svelte', 'Svelte'),
      sdkGuide('angular', 'Angular'),
      sdkGuide('node', 'Node'),
      sdkGuide('electron', 'Electron'),
      sdkGuide('react-native', 'React Native'),
      sdkGuide('conversations', 'Conversations'),
      sdkGuide('delivery', 'How reports are delivered'),
      sdkGuide('features', 'Feature flags'),
      sdkGuide('privacy', 'Privacy'),
      sdkGuide('sizes', 'Sizes'),
    ],
  },
  {
    title: 'Running a server',
    guides: [
      guide('configuration', 'Configuration'),
      guide('operating', 'Operating'),
      guide('reverse-proxy', 'Behind a reverse proxy'),
      guide('moving', 'Moving between databases'),
      guide('scaling', 'Scaling'),
      guide('security', 'Security model'),
      { name: 'security-policy', file: 'SECURITY.md', title: 'Reporting a vulnerability' },
    ],
  },
  {
    title: 'Background',
    guides: [
      guide('performance', 'Performance'),
      guide('reliability', 'Reliability'),
      {
        name: 'decisions',
        file: 'docs/decisions/README.md',
        title: 'Decisions',
        pages: [
          decision('reports', 'Reports'),
          decision('attachments', 'Attachments'),
          decision('issues', 'Issues'),
          decision('projects', 'Projects and SDK configuration'),
          decision('lists', 'Lists and paging'),
          decision('search', 'Search'),
          decision('http-api', 'HTTP API'),
          decision('statistics', 'Statistics'),
          decision('events', 'Events and streams'),
          decision('webhooks', 'Webhooks'),
          decision('access', 'Keys and access'),
          decision('security-reports', 'Security reports'),
          decision('people', 'People and sign-in'),
          decision('administration', 'Administration'),
          decision('limits', 'Rate limits and overload'),
          decision('storage', 'Storage in common'),
          decision('sqlite', 'SQLite'),
          decision('postgresql', 'PostgreSQL'),
          decision('backup-and-transfer', 'Backup, export and import'),
          decision('dashboard', 'Dashboard'),
          decision('command-line', 'Command line'),
          decision('sdk', 'SDK'),
          decision('crashes', 'Crash reports'),
          decision('sentry', 'Sentry’s SDKs'),
          decision('monitoring', 'Metrics, logs and health'),
          decision('packaging', 'Packages, image and runtime'),
          decision('documentation', 'Documentation'),
          decision('testing', 'Tests'),
        ],
      },
      { name: 'changelog', file: 'CHANGELOG.md', title: 'Changelog' },
    ],
  },
]

export const GUIDES: readonly Guide[] = [
  GUIDE_INDEX,
  ...GUIDE_GROUPS.flatMap(({ guides }) => guides.flatMap((one) => [one, ...(one.pages ?? [])])),
]

/**
 * Finds the folder of the documents: the nearest one above this file that contains them, which is the
 * repository or the installed package. `undefined` if they are not installed.
 */
export function findDocuments(from: string = import.meta.dirname): string | undefined {
  if (existsSync(join(from, GUIDE_INDEX.file))) return from
  const above = dirname(from)
  return above === from ? undefined : findDocuments(above)
}

export function addressOfGuide({ name }: Guide): string {
  return name === '' ? '/docs' : `/docs/${name}`
}

/** The URL of a link on this server; `undefined` if the link points to a file that is not served. */
export function resolveLink(file: string, link: string): string | undefined {
  if (/^(?:#|https:\/\/)/.test(link)) return link
  const [path = '', anchor] = link.split('#')
  const target = posix.join(posix.dirname(file), path)
  const found = GUIDES.find((one) => one.file === target)
  return found && addressOfGuide(found) + (anchor === undefined ? '' : `#${anchor}`)
}

function guide(name: string, title: string): Guide {
  return { name, file: `docs/${name}.md`, title }
}

function decision(name: string, title: string): Guide {
  return { name: `decisions-${name}`, file: `docs/decisions/${name}.md`, title }
}

function sdkGuide(name: string, title: string): Guide {
  return { name: `sdk-${name}`, file: `packages/sdk/docs/${name}.md`, title }
}
