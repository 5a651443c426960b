import { existsSync } from 'node:fs'
import { dirname, join, posix } from 'node:path'

/** A document of the repository that is served at `/docs/{name}`. */
export interface Guide {
  readonly name: string
  /** Where it is, from the root of the repository. An installed package has the same files at the same places. */
  readonly file: string
  /** What it is called in the list of guides. */
  readonly title: string
}

export interface GuideGroup {
  readonly title: string
  readonly guides: readonly Guide[]
}

/** The page at `/docs` itself. */
export const GUIDE_INDEX: Guide = { name: '', file: 'docs/README.md', title: 'Documentation' }

export const REFERENCE_PATH = '/docs/reference'

/** Every guide, in the order in which they are offered. */
export const GUIDE_GROUPS: readonly GuideGroup[] = [
  {
    title: 'Using Bugle',
    guides: [
      guide('getting-started', 'Getting started'),
      guide('api', 'The API by task'),
      guide('webhooks', 'Webhooks'),
      guide('migrating', 'Migrating to Bugle'),
      guide('errors', 'Errors'),
      guide('faq', 'FAQ'),
    ],
  },
  {
    title: 'In your app',
    guides: [
      { name: 'sdk', file: 'packages/sdk/README.md', title: 'The SDK' },
      sdkGuide('browser', 'Browser'),
      sdkGuide('node', 'Node'),
      sdkGuide('electron', 'Electron'),
      sdkGuide('react-native', 'React Native'),
      sdkGuide('delivery', 'How reports are delivered'),
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
      guide('decisions', 'Decisions'),
      { name: 'changelog', file: 'CHANGELOG.md', title: 'Changelog' },
    ],
  },
]

export const GUIDES: readonly Guide[] = [GUIDE_INDEX, ...GUIDE_GROUPS.flatMap(({ guides }) => guides)]

/**
 * The one rule of where the documents are: below the nearest folder, from this file upwards, that has them. That is the
 * repository, or the installed package. `undefined` if they were left out.
 */
export function findDocuments(from: string = import.meta.dirname): string | undefined {
  if (existsSync(join(from, GUIDE_INDEX.file))) return from
  const above = dirname(from)
  return above === from ? undefined : findDocuments(above)
}

export function addressOfGuide({ name }: Guide): string {
  return name === '' ? '/docs' : `/docs/${name}`
}

/** Where a link in a document leads on the server; `undefined` for what is in the repository only. */
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

function sdkGuide(name: string, title: string): Guide {
  return { name: `sdk-${name}`, file: `packages/sdk/docs/${name}.md`, title }
}
