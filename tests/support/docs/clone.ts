import { mkdirSync, readdirSync, symlinkSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { temporaryFolder } from '../../../packages/server/test-support/temporary-folder.ts'
import { ROOT, shellEnvironment } from '../start-process.ts'

/** A folder that looks like a fresh clone, deleted with everything that a reader creates in it. */
export interface Clone extends Disposable {
  readonly path: string
  /** The environment of a reader's shell in it. */
  readonly environment: Readonly<Record<string, string>>
}

const NOT_CLONED: readonly string[] = ['.git', 'data', 'dist', 'node_modules']
const MODULES: readonly string[] = ['@types', '@vue', 'undici-types', 'vue']
const PACKAGES: readonly string[] = ['client', 'contract']

/** Common settings of curl in scripts: each response on its own line, and an error status is a failure. */
const CURL_SETTINGS = 'silent\nshow-error\nfail-with-body\nwrite-out = "\\n"\n'

/** npx takes longer than the program it starts. This replacement runs what is installed, and never downloads anything. */
const QUICK_NPX = `#!/bin/sh
program=$1
shift
exec "${join(ROOT, 'node_modules/.bin')}/$program" "$@"
`

interface CloneOptions {
  /** The folder of the built SDK. */
  readonly sdk: string
  /** Whether `npx` is the real one. */
  readonly hasNpx: boolean
}

/** Creates one with links, with the SDK installed. */
export function makeClone({ sdk, hasNpx }: CloneOptions): Clone {
  const folder = temporaryFolder()
  const { path } = folder
  for (const name of readdirSync(ROOT))
    if (!NOT_CLONED.includes(name)) symlinkSync(join(ROOT, name), join(path, name))
  mkdirSync(join(path, 'node_modules/@bugle'), { recursive: true })
  for (const name of ['.bin', ...MODULES])
    symlinkSync(join(ROOT, 'node_modules', name), join(path, 'node_modules', name))
  for (const name of PACKAGES)
    symlinkSync(join(ROOT, 'packages', name), join(path, 'node_modules/@bugle', name))
  symlinkSync(sdk, join(path, 'node_modules/@bugle/sdk'))
  mkdirSync(join(path, 'backups'))
  writeFileSync(join(path, '.curlrc'), CURL_SETTINGS)
  const programs = join(path, '.programs')
  mkdirSync(programs)
  if (!hasNpx) writeFileSync(join(programs, 'npx'), QUICK_NPX, { mode: 0o755 })
  const shell = shellEnvironment()
  return {
    path,
    environment: {
      ...shell,
      PATH: `${programs}:${dirname(process.execPath)}:${shell['PATH']}`,
      CURL_HOME: path,
      XDG_STATE_HOME: join(path, 'state'),
      BUGLE_DATABASE_URL: `sqlite:${join(path, 'data/bugle.db')}`,
      BUGLE_PORT: '0',
      BUGLE_LOG_LEVEL: 'warn',
    },
    [Symbol.dispose]: () => folder[Symbol.dispose](),
  }
}
