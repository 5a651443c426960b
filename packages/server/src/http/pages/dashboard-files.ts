import { hash } from 'node:crypto'
import { readdir, readFile } from 'node:fs/promises'
import { extname, join } from 'node:path'
import type { PageLook } from './page.ts'

const TYPES: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.mjs': 'text/javascript; charset=utf-8',
  '.json': 'application/json',
  '.tgz': 'application/gzip',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.woff2': 'font/woff2',
}
/** The codings in which files were compressed at build time, the smallest first. */
const CODINGS = [
  { name: 'br', extension: '.br' },
  { name: 'gzip', extension: '.gz' },
] as const

export interface PageFile {
  readonly content: Buffer
  readonly type: string
  readonly etag: string
  readonly codings: readonly { readonly name: string; readonly content: Buffer }[]
}

export interface Dashboard {
  /** A file of the built page. */
  find(name: string): Promise<PageFile | undefined>
  /** The files that give other pages the same look; `undefined` until they are built. */
  look(): Promise<PageLook | undefined>
}

/** Their names end with a hash of their content. */
const LOOK: Readonly<Record<keyof PageLook, RegExp>> = {
  style: /^assets\/docs-[\w-]{8}\.css$/,
  script: /^assets\/docs-[\w-]{8}\.js$/,
  theme: /^assets\/first-paint-[\w-]{8}\.js$/,
  icon: /^assets\/icon-[\w-]{8}\.svg$/,
  font: /^assets\/inter-latin-wght-normal-[\w-]{8}\.woff2$/,
}

/** The built app, read once and cached: about a megabyte. Until it is built, each request checks again. */
export function openDashboard(folder: string): Dashboard {
  let reading: Promise<ReadonlyMap<string, PageFile>> | undefined

  async function files(): Promise<ReadonlyMap<string, PageFile>> {
    reading ??= readFiles(folder)
    const found = await reading
    if (found.size === 0) reading = undefined
    return found
  }

  return {
    find: async (name) => (await files()).get(name),
    look: async () => findLook([...(await files()).keys()]),
  }
}

function findLook(names: readonly string[]): PageLook | undefined {
  const path = (part: keyof PageLook) => {
    const name = names.find((one) => LOOK[part].test(one))
    return name && `/${name}`
  }
  const [style, script, theme, icon, font] = [
    path('style'),
    path('script'),
    path('theme'),
    path('icon'),
    path('font'),
  ]
  return style && script && theme && icon && font ? { style, script, theme, icon, font } : undefined
}

async function readFiles(folder: string): Promise<ReadonlyMap<string, PageFile>> {
  const contents = new Map<string, Buffer>()
  for (const name of await namesIn(folder)) contents.set(name, await readFile(join(folder, name)))
  return pageFilesOf(contents)
}

/** Files as they are served. Those that end with the extension of a coding are the compressed form of another. */
export function pageFilesOf(contents: ReadonlyMap<string, Buffer>): ReadonlyMap<string, PageFile> {
  const shown = [...contents].flatMap(([name, content]) => {
    const type = TYPES[extname(name)]
    if (type === undefined) return []
    const codings = CODINGS.flatMap(({ name: coding, extension }) => {
      const compressed = contents.get(name + extension)
      return compressed === undefined ? [] : [{ name: coding, content: compressed }]
    })
    const etag = `"${hash('sha256', content, 'base64url').slice(0, 16)}"`
    return [[name, { content, type, etag, codings }]] as const
  })
  return new Map(shown)
}

/** The names of the page itself and of its assets; none while they are not built. */
async function namesIn(folder: string): Promise<readonly string[]> {
  const [files, assets] = await Promise.all([folder, join(folder, 'assets')].map(namesOf))
  return [
    ...(files ?? []).filter((name) => name.startsWith('index.html')),
    ...(assets ?? []).map((name) => `assets/${name}`),
  ]
}

/** The names of the files in a folder; none if it does not exist. */
export async function namesOf(folder: string): Promise<readonly string[]> {
  try {
    return await readdir(folder)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return []
    throw error
  }
}
