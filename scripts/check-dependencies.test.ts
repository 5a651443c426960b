import { spawnSync } from 'node:child_process'
import { cpSync, mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, test } from 'vitest'
import { temporaryFolder } from '../packages/server/test-support/temporary-folder.ts'
import { cyclesOf, RULES, violations } from './check-dependencies.ts'

const SCRIPT = fileURLToPath(new URL('check-dependencies.ts', import.meta.url))
const SERVER = 'packages/server/src'

/** For each rule's folder: a file in it, what it must not import, and what it may. */
const PLANTED: Readonly<Record<string, { file: string; forbidden: string[]; allowed: string[] }>> = {
  'packages/contract/src/vocabulary': {
    file: 'packages/contract/src/vocabulary/planted.ts',
    forbidden: ['typebox', 'node:util', '../schemas/issues/issues.ts'],
    allowed: ['./limits.ts'],
  },
  'packages/contract': {
    file: 'packages/contract/src/schemas/planted.ts',
    forbidden: ['fastify', 'node:crypto', '../../../server/src/model/ids.ts', 'typebox-extras'],
    allowed: ['typebox', '../vocabulary/limits.ts'],
  },
  'packages/client': {
    file: 'packages/client/src/planted.ts',
    forbidden: ['node:http', 'undici', '../../server/src/model/ids.ts'],
    allowed: ['@bugle/contract', '@bugle/contract/vocabulary'],
  },
  'packages/dashboard/src/ui': {
    file: 'packages/dashboard/src/ui/planted.tsx',
    forbidden: ['@tanstack/react-query', '../pages/inbox/filters/filters.ts', '../api/client.ts', 'node:fs'],
    allowed: ['react', '@mantine/core', '@bugle/client', '@bugle/contract', './icons/icons.tsx'],
  },
  'packages/dashboard/src': {
    file: 'packages/dashboard/src/pages/planted.tsx',
    forbidden: ['typebox', 'node:fs', 'bugle', '../../../server/src/domain/access/access.ts'],
    allowed: [
      'react-dom/client',
      '@tanstack/react-router',
      '@bugle/client',
      '@bugle/contract',
      '../ui/page.tsx',
    ],
  },
  'packages/sdk/src/core': {
    file: 'packages/sdk/src/core/planted.ts',
    forbidden: ['node:fs', '@bugle/contract', '../browser/store.ts', 'react-native'],
    allowed: ['@bugle/contract/vocabulary', './client.ts'],
  },
  'packages/sdk/src/browser': {
    file: 'packages/sdk/src/browser/planted.ts',
    forbidden: ['node:fs', '@bugle/contract/vocabulary', '../node/files.ts', 'idb-keyval'],
    allowed: ['../core/client.ts', './store.ts'],
  },
  'packages/sdk/src/node': {
    file: 'packages/sdk/src/node/planted.ts',
    forbidden: ['undici', '../browser/store.ts'],
    allowed: ['node:fs', '../core/client.ts'],
  },
  'packages/sdk/src/widget': {
    file: 'packages/sdk/src/widget/planted.ts',
    forbidden: ['node:fs', '../browser/store.ts', 'lit'],
    allowed: ['@bugle/contract/vocabulary', '../core/api.ts', './style.ts'],
  },
  'packages/sdk/src/reports-page': {
    file: 'packages/sdk/src/reports-page/planted.ts',
    forbidden: ['node:fs', '../node/files.ts', '@bugle/contract', 'lit'],
    allowed: ['../core/client.ts', '../browser/platform.ts', '../widget/style.ts', './link.ts'],
  },
  'packages/sdk/src/trail': {
    file: 'packages/sdk/src/trail/planted.ts',
    forbidden: ['node:fs', '../widget/style.ts', 'lit'],
    allowed: ['../core/reports/scrub.ts', '../browser/platform.ts', './steps.ts'],
  },
  'packages/sdk/src/conversations': {
    file: 'packages/sdk/src/conversations/planted.ts',
    forbidden: ['../widget/style.ts', '@bugle/contract', 'react-native'],
    allowed: ['node:path', '../core/api.ts', '../browser/store.ts', '../react-native/key-value-store.ts'],
  },
  'packages/sdk/src/vite': {
    file: 'packages/sdk/src/vite/planted.ts',
    forbidden: ['vite', '../browser/store.ts'],
    allowed: ['node:path', '../node/checkout.ts', '../core/delivery/requests.ts'],
  },
  'packages/sdk/src': {
    file: 'packages/sdk/src/planted.ts',
    forbidden: ['node:fs', 'typebox', '@bugle/contract'],
    allowed: ['react-native', './core/api.ts', './browser/platform.ts'],
  },
  [`${SERVER}/model/decisions`]: {
    file: `${SERVER}/model/decisions/planted.ts`,
    forbidden: ['node:crypto', '../../domain/issues/issues.ts', '../../storage/storage.ts', '../../clock.ts'],
    allowed: ['@bugle/contract/vocabulary', '../issues.ts', '../search/tokens.ts'],
  },
  [`${SERVER}/model/search`]: {
    file: `${SERVER}/model/search/planted.ts`,
    forbidden: ['node:sqlite', '../../domain/issues/issues.ts', '@bugle/contract'],
    allowed: ['@bugle/contract/vocabulary', '../issue-lists.ts'],
  },
  [`${SERVER}/model`]: {
    file: `${SERVER}/model/planted.ts`,
    forbidden: ['node:fs', '../domain/issues/issues.ts', '../storage/storage.ts', '../clock.ts'],
    allowed: ['@bugle/contract', 'node:crypto', './issues.ts'],
  },
  [`${SERVER}/domain`]: {
    file: `${SERVER}/domain/planted.ts`,
    forbidden: [
      'fastify',
      'node:http',
      '../http/answers/problem.ts',
      '../storage/sqlite/driver/connection.ts',
      '../config.ts',
    ],
    allowed: ['@bugle/contract', 'node:crypto', '../model/ids.ts', '../storage/storage.ts'],
  },
  [`${SERVER}/storage`]: {
    file: `${SERVER}/storage/sqlite/planted.ts`,
    forbidden: [
      'fastify',
      '../../domain/issues/issues.ts',
      '../../http/answers/problem.ts',
      '../../config.ts',
    ],
    allowed: ['node:sqlite', '../../model/issues.ts', '../../clock.ts'],
  },
  [`${SERVER}/http`]: {
    file: `${SERVER}/http/routes/planted.ts`,
    forbidden: [
      'node-fetch',
      '../../storage/sqlite/driver/connection.ts',
      '../../app.ts',
      '../../cli/main.ts',
    ],
    allowed: ['fastify', 'node:crypto', '../../domain/issues/issues.ts', '../../storage/storage.ts'],
  },
  [`${SERVER}/metrics`]: {
    file: `${SERVER}/metrics/planted.ts`,
    forbidden: [
      '@bugle/contract',
      'fastify',
      '../domain/issues/issues.ts',
      '../http/answers/problem.ts',
      '../app.ts',
    ],
    allowed: ['prom-client', 'node:timers/promises', '../storage/storage.ts', '../version.ts'],
  },
  [`${SERVER}/outbound`]: {
    file: `${SERVER}/outbound/planted.ts`,
    forbidden: [
      'fastify',
      '../domain/issues/issues.ts',
      '../storage/storage.ts',
      '../http/answers/problem.ts',
      '../config.ts',
    ],
    allowed: ['@bugle/contract', 'node:https', 'ipaddr.js', 'standardwebhooks', '../version.ts'],
  },
  [`${SERVER}/demo`]: {
    file: `${SERVER}/demo/planted.ts`,
    forbidden: ['fastify', '../cli/main.ts', '../http/server.ts', '../storage/sqlite/driver/connection.ts'],
    allowed: ['@bugle/contract', '../domain/issues/issues.ts', '../storage/storage.ts', './random.ts'],
  },
  [`${SERVER}/transfer`]: {
    file: `${SERVER}/transfer/planted.ts`,
    forbidden: ['@bugle/contract', '../domain/issues/issues.ts', '../storage/sqlite/driver/connection.ts'],
    allowed: ['node:fs', 'ajv', 'typebox', '../storage/transfer.ts', '../version.ts'],
  },
  [`${SERVER}/workers`]: {
    file: `${SERVER}/workers/planted.ts`,
    forbidden: [
      'fastify',
      '../http/route.ts',
      '../storage/sqlite/writer/announcements.ts',
      '../app.ts',
      '../config.ts',
    ],
    allowed: [
      'node:timers/promises',
      '../domain/events/events.ts',
      '../outbound/messenger.ts',
      '../clock.ts',
    ],
  },
  [`${SERVER}/cli`]: {
    file: `${SERVER}/cli/planted.ts`,
    forbidden: ['fastify', '../http/server.ts', '../storage/sqlite/driver/connection.ts'],
    allowed: ['node:util', '../app.ts', '../domain/projects/keys.ts', '../storage/open-storage.ts'],
  },
  [`${SERVER}/app.ts`]: {
    file: `${SERVER}/app.ts`,
    forbidden: ['fastify', 'node:sqlite', '@bugle/client'],
    allowed: ['pino', './http/server.ts', './storage/open-storage.ts'],
  },
  [`${SERVER}/open-app.ts`]: {
    file: `${SERVER}/open-app.ts`,
    forbidden: ['fastify', '@bugle/contract', './http/server.ts', './domain/issues/issues.ts'],
    allowed: ['pino', './app.ts', './config.ts', './storage/open-storage.ts'],
  },
  [`${SERVER}/config.ts`]: {
    file: `${SERVER}/config.ts`,
    forbidden: ['fastify', 'node:fs', './domain/issues/issues.ts', './http/server.ts'],
    allowed: ['node:net', './domain/access/rate-limits.ts', './outbound/guard-exceptions.ts'],
  },
  [SERVER]: {
    file: `${SERVER}/clock.ts`,
    forbidden: ['pino', '@bugle/contract', './http/server.ts', './storage/storage.ts'],
    allowed: ['node:crypto'],
  },
}

describe.each(RULES)('a file in $folder', ({ folder, why }) => {
  const { file = '', forbidden = [], allowed = [] } = PLANTED[folder] ?? {}

  test('has planted violations in this test', () => {
    expect(forbidden).not.toEqual([])
  })

  test.each(forbidden)(`may not import %s`, (target) => {
    const found = violations(file, `import { planted } from '${target}'\n`)
    expect(found).toEqual([expect.stringContaining(why)])
    expect(found[0]).toContain(file)
  })

  test.each(allowed)(`may import %s`, (target) => {
    expect(violations(file, `import { planted } from '${target}'\n`)).toEqual([])
  })
})

describe('an import', () => {
  test.each([
    "import fastify from 'fastify'",
    'import "fastify"',
    "import type { FastifyInstance } from 'fastify'",
    "import {\n  type FastifyInstance,\n  fastify,\n} from 'fastify'",
    "import * as fastify from 'fastify'",
    "export { fastify } from 'fastify'",
    "export * from 'fastify'",
    "const { fastify } = await import('fastify')",
    "const later = () => import(\n  'fastify'\n)",
    "import { plugin } from 'fastify/plugin'",
  ])('is detected in every form: %j', (source) => {
    expect(violations(`${SERVER}/domain/planted.ts`, `const before = 1\n${source}\n`)).toHaveLength(1)
  })

  test('is judged on its own: a file may break the rule several times', () => {
    const source = "import 'fastify'\nimport { hash } from 'node:crypto'\nimport 'node:http'\n"
    expect(violations(`${SERVER}/domain/planted.ts`, source)).toHaveLength(2)
  })
})

describe('a cycle of imports', () => {
  test('is found, with only its own files', () => {
    const imports = { a: ['b'], b: ['c', 'd'], c: [], d: ['b'], e: ['a', 'e'] }
    expect(cyclesOf(new Map(Object.entries(imports)))).toEqual([['b', 'd'], ['e']])
  })

  test('is not reported if two paths lead to the same file', () => {
    expect(cyclesOf(new Map(Object.entries({ a: ['b', 'c'], b: ['d'], c: ['d'], d: [] })))).toEqual([])
  })
})

describe('the script', () => {
  test('accepts the present tree', () => {
    const { status, stdout, stderr } = spawnSync(process.execPath, [SCRIPT], { encoding: 'utf8' })
    expect({ status, stderr }).toEqual({ status: 0, stderr: '' })
    expect(Number.parseInt(stdout, 10)).toBeGreaterThan(50)
  })

  test('refuses a tree with one wrong import, names it, and ignores tests', () => {
    using folder = temporaryFolder()
    plant(folder.path, 'package.json', '{ "type": "module" }')
    plant(folder.path, `${SERVER}/domain/rules.ts`, "import { Server } from 'node:http'\n")
    plant(folder.path, `${SERVER}/domain/rules.test.ts`, "import { Server } from 'node:http'\n")
    cpSync(SCRIPT, join(folder.path, 'scripts/check-dependencies.ts'))

    const planted = join(folder.path, 'scripts/check-dependencies.ts')
    const { status, stdout, stderr } = spawnSync(process.execPath, [planted], { encoding: 'utf8' })
    expect(status).toBe(1)
    expect(stderr).toBe(`${SERVER}/domain/rules.ts imports node:http, but rules know neither HTTP nor SQL.\n`)
    expect(stdout).toBe('1 files, 1 imports against the rule, 0 cycles\n')
  })

  test('refuses a cycle, even of types', () => {
    using folder = temporaryFolder()
    plant(folder.path, 'package.json', '{ "type": "module" }')
    plant(folder.path, `${SERVER}/domain/a.ts`, "import type { B } from './b.ts'\n")
    plant(folder.path, `${SERVER}/domain/b.ts`, "export type { A } from './a.ts'\n")
    cpSync(SCRIPT, join(folder.path, 'scripts/check-dependencies.ts'))

    const planted = join(folder.path, 'scripts/check-dependencies.ts')
    const { status, stdout, stderr } = spawnSync(process.execPath, [planted], { encoding: 'utf8' })
    expect(status).toBe(1)
    expect(stderr).toBe(
      `A cycle of imports: ${SERVER}/domain/a.ts → ${SERVER}/domain/b.ts → ${SERVER}/domain/a.ts\n`,
    )
    expect(stdout).toBe('2 files, 0 imports against the rule, 1 cycles\n')
  })
})

function plant(folder: string, path: string, source: string): void {
  mkdirSync(dirname(join(folder, path)), { recursive: true })
  writeFileSync(join(folder, path), source)
}
