import { globSync, readFileSync } from 'node:fs'
import { dirname, join, sep } from 'node:path'
import { fileURLToPath } from 'node:url'

/** Fails on an import that violates the dependency rule of the architecture, and on a cycle of imports. */

const ROOT = fileURLToPath(new URL('..', import.meta.url))

interface Rule {
  readonly folder: string
  /** Folders, files or packages it may import, in addition to itself. */
  readonly mayImport: readonly string[]
  /** Its files may not import each other. */
  readonly keepsApart?: true
  readonly why: string
}

const LEAVES = [
  'packages/server/src/byte-sizes.ts',
  'packages/server/src/clock.ts',
  'packages/server/src/nearest-name.ts',
  'packages/server/src/postgres-url.ts',
  'packages/server/src/s3-url.ts',
  'packages/server/src/start-thread.ts',
  'packages/server/src/tune-v8.ts',
  'packages/server/src/version.ts',
]
const MODEL = 'packages/server/src/model'
const PORT = [
  'packages/server/src/storage/storage.ts',
  'packages/server/src/storage/ports',
  'packages/server/src/storage/transfer.ts',
  'packages/server/src/storage/inspection.ts',
  'packages/server/src/storage/files/file-store.ts',
]

/** The first rule whose folder contains a file applies to the file. */
export const RULES: readonly Rule[] = [
  {
    folder: 'packages/contract/src/vocabulary',
    mayImport: [],
    why: 'the vocabulary goes into every bundle: plain constants, no dependency',
  },
  {
    folder: 'packages/contract',
    mayImport: ['typebox'],
    why: 'everything may know the contract, so it knows nobody',
  },
  {
    folder: 'packages/client',
    mayImport: ['@bugle/contract'],
    why: 'the client runs in browsers and knows only the contract',
  },
  {
    folder: 'packages/dashboard/src/ui',
    mayImport: ['@bugle/client', '@bugle/contract', '@mantine', 'react'],
    why: 'what every page is made of knows none of them',
  },
  {
    folder: 'packages/dashboard/src',
    // The SDK is only mentioned, in the snippets for apps.
    mayImport: [
      '@bugle/client',
      '@bugle/contract',
      '@bugle/sdk',
      '@mantine',
      '@tanstack',
      'marked',
      'react',
      'react-dom',
    ],
    why: 'the page knows the server only by its API, through the client',
  },
  {
    folder: 'packages/sdk/src/core',
    mayImport: ['@bugle/contract/vocabulary'],
    why: 'the core runs everywhere: what it needs of a place, the platform gives it',
  },
  {
    folder: 'packages/sdk/src/browser',
    mayImport: ['packages/sdk/src/core'],
    why: 'a page has the core, its browser and nothing else',
  },
  {
    folder: 'packages/sdk/src/node',
    mayImport: ['node:', 'packages/sdk/src/core'],
    why: 'a Node process has the core, Node and nothing else',
  },
  {
    folder: 'packages/sdk/src/widget',
    mayImport: [
      '@bugle/contract/vocabulary',
      'packages/sdk/src/core',
      'packages/sdk/src/browser/file-store.ts',
      'packages/sdk/src/conversations/browser.ts',
    ],
    why: 'the widget has the core and the page it is in, nothing else',
  },
  {
    folder: 'packages/sdk/src/reports-page',
    mayImport: ['packages/sdk/src/core', 'packages/sdk/src/browser', 'packages/sdk/src/widget'],
    why: 'the page shows what the widget shows, and needs nothing else',
  },
  {
    folder: 'packages/sdk/src/trail',
    mayImport: ['packages/sdk/src/core', 'packages/sdk/src/browser'],
    why: 'the trail has the core and the page it is in, nothing else',
  },
  {
    folder: 'packages/sdk/src/conversations',
    mayImport: [
      'node:',
      'packages/sdk/src/core',
      'packages/sdk/src/browser',
      'packages/sdk/src/node',
      'packages/sdk/src/react-native',
    ],
    why: 'an entry for each platform: what they share is in the core',
  },
  {
    folder: 'packages/sdk/src/vite',
    mayImport: ['node:', 'packages/sdk/src/core', 'packages/sdk/src/node'],
    why: 'the plugin runs in a build and shares what reads a checkout',
  },
  {
    folder: 'packages/sdk/src',
    mayImport: ['react', 'react-native'],
    why: 'the SDK has no dependencies: React is that of the app',
  },
  {
    folder: 'packages/server/src/model/decisions',
    mayImport: ['@bugle/contract/vocabulary', MODEL],
    why: 'decisions run inside transactions: records in, changes out, and nothing else',
  },
  {
    folder: 'packages/server/src/model/search',
    mayImport: ['@bugle/contract/vocabulary', MODEL],
    why: 'the tokenizer runs in the threads of the database: texts in, tokens out',
  },
  {
    folder: MODEL,
    mayImport: ['@bugle/contract', 'node:crypto', 'typebox'],
    why: 'the model is what domain and storage both speak: no I/O, and it imports only the contract',
  },
  {
    folder: 'packages/server/src/domain',
    mayImport: [
      '@bugle/contract',
      'file-type',
      'node:crypto',
      'node:util',
      'node:zlib',
      MODEL,
      ...LEAVES,
      ...PORT,
    ],
    why: 'rules know neither HTTP nor SQL',
  },
  {
    folder: 'packages/server/src/storage',
    mayImport: ['@bugle/contract/vocabulary', 'aws4fetch', 'node:', 'pg', 'typebox', MODEL, ...LEAVES],
    why: 'storage serves the domain and knows nothing above it',
  },
  {
    folder: 'packages/server/src/http',
    mayImport: [
      '@bugle/contract',
      'node:',
      'content-disposition',
      'fastify',
      'ajv',
      'ipaddr.js',
      'marked',
      'typebox',
      'packages/server/src/domain',
      MODEL,
      ...LEAVES,
      ...PORT,
    ],
    why: 'HTTP turns bytes into calls of the domain; which database there is, it does not know',
  },
  {
    folder: 'packages/server/src/metrics',
    mayImport: ['node:', 'prom-client', MODEL, ...LEAVES, ...PORT],
    why: 'metrics are told what happens, and the parts that tell them know only a function',
  },
  {
    folder: 'packages/server/src/outbound',
    mayImport: ['@bugle/contract', 'node:', 'ipaddr.js', 'standardwebhooks', MODEL, ...LEAVES],
    why: 'what goes out knows the world, and nothing of where it comes from',
  },
  {
    folder: 'packages/server/src/cli',
    mayImport: [
      '@bugle/client',
      '@bugle/contract',
      'node:',
      'packages/server/src/app.ts',
      'packages/server/src/config.ts',
      'packages/server/src/demo',
      'packages/server/src/domain',
      'packages/server/src/storage/backups.ts',
      'packages/server/src/storage/files/open-file-store.ts',
      'packages/server/src/storage/open-storage.ts',
      'packages/server/src/open-app.ts',
      'packages/server/src/outbound',
      'packages/server/src/transfer',
      MODEL,
      ...LEAVES,
      ...PORT,
    ],
    why: 'a command works through the app, the storage port or the API',
  },
  {
    folder: 'packages/server/src/demo',
    mayImport: [
      '@bugle/contract',
      'node:',
      'packages/server/src/domain',
      'packages/server/src/outbound',
      MODEL,
      ...LEAVES,
      ...PORT,
    ],
    why: 'sample data is made by the rules, as real data is',
  },
  {
    folder: 'packages/server/src/transfer',
    mayImport: ['node:', 'ajv', 'typebox', MODEL, ...LEAVES, ...PORT],
    why: 'files know what is stored, and nothing of what it is for',
  },
  {
    folder: 'packages/server/src/workers',
    mayImport: [
      '@bugle/contract',
      'node:',
      'packages/server/src/domain',
      'packages/server/src/outbound',
      MODEL,
      ...LEAVES,
      ...PORT,
    ],
    why: 'workers do in the background what the domain decides',
  },
  {
    folder: 'packages/server/src/app.ts',
    mayImport: ['node:path', 'packages/server/src', 'pino'],
    why: 'the composition root',
  },
  {
    folder: 'packages/server/src/open-app.ts',
    mayImport: [
      'packages/server/src/app.ts',
      'packages/server/src/config.ts',
      'packages/server/src/metrics',
      'packages/server/src/storage/open-storage.ts',
      'pino',
    ],
    why: 'it loads little, and everything else while the database is being opened',
  },
  {
    folder: 'packages/server/src/config.ts',
    mayImport: [
      '@bugle/contract/vocabulary',
      'node:net',
      'packages/server/src/byte-sizes.ts',
      'packages/server/src/domain/access/rate-limits.ts',
      'packages/server/src/domain/attachments/attachment-limits.ts',
      'packages/server/src/outbound/guard-exceptions.ts',
      'packages/server/src/postgres-url.ts',
      'packages/server/src/s3-url.ts',
    ],
    why: 'settings are read before there is anything to set',
  },
  {
    folder: 'packages/server/src',
    mayImport: ['node:', 'packages/server/package.json'],
    keepsApart: true,
    why: 'leaves know nobody',
  },
]

const IMPORT =
  /(?:^|\n)\s*(?:import|export)\s[^'"]*?from\s*['"]([^'"]+)['"]|\bimport\(\s*['"]([^'"]+)['"]|(?:^|\n)import\s*['"]([^'"]+)['"]/g

/** Every forbidden import in the source text of the file at `path`, as a sentence. */
export function violations(path: string, source: string): readonly string[] {
  const rule = RULES.find(({ folder }) => isIn(path, folder))
  if (rule === undefined) return []
  return importsOf(path, source)
    .filter((target) => rule.keepsApart || !isIn(target, rule.folder))
    .filter((target) => !rule.mayImport.some((allowed) => isIn(target, allowed)))
    .map((target) => `${path} imports ${target}, but ${rule.why}.`)
}

function importsOf(path: string, source: string): readonly string[] {
  return [...source.matchAll(IMPORT)]
    .map((match) => match[1] ?? match[2] ?? match[3] ?? '')
    .map((specifier) =>
      specifier.startsWith('.') ? join(dirname(path), specifier).split(sep).join('/') : specifier,
    )
}

function isIn(target: string, place: string): boolean {
  return target === place || target.startsWith(place.endsWith(':') ? place : `${place}/`)
}

/** Each cycle of imports, as a list of its files; type imports count too. `imports` names the files that a file imports. */
export function cyclesOf(imports: ReadonlyMap<string, readonly string[]>): readonly (readonly string[])[] {
  const done = new Set<string>()
  const way: string[] = []
  const cycles: string[][] = []
  function visit(file: string): void {
    if (done.has(file)) return
    const start = way.indexOf(file)
    if (start !== -1) {
      cycles.push(way.slice(start))
      return
    }
    way.push(file)
    for (const target of imports.get(file) ?? []) visit(target)
    way.pop()
    done.add(file)
  }
  for (const file of imports.keys()) visit(file)
  return cycles
}

if (import.meta.main) {
  const sources = new Map(
    globSync('packages/*/src/**/*.{ts,tsx}', { cwd: ROOT })
      .filter((file) => !/\.(test|thorough|contract)\.tsx?$/.test(file))
      .map((file) => [file.split(sep).join('/'), readFileSync(join(ROOT, file), 'utf8')] as const),
  )
  const imports = new Map([...sources].map(([path, source]) => [path, importsOf(path, source)] as const))
  const forbidden = [...sources].flatMap(([path, source]) => violations(path, source))
  const cycles = cyclesOf(imports)
  for (const violation of forbidden) process.stderr.write(`${violation}\n`)
  for (const [first, ...others] of cycles)
    process.stderr.write(`A cycle of imports: ${[first, ...others, first].join(' → ')}\n`)
  process.stdout.write(
    `${sources.size} files, ${forbidden.length} imports against the rule, ${cycles.length} cycles\n`,
  )
  process.exitCode = forbidden.length + cycles.length === 0 ? 0 : 1
}
