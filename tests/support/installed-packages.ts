import { type SpawnSyncReturns, spawnSync } from 'node:child_process'
import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { temporaryFolder } from '../../packages/server/test-support/temporary-folder.ts'
import { buildPackages } from '../../scripts/build.ts'
import { shellEnvironment } from './start-process.ts'

const INSTALL_TIMEOUT_MS = 600_000
const COMMAND_TIMEOUT_MS = 300_000

/** The packages, built and installed in an empty folder, as from npm. */
export interface InstalledPackages extends Disposable {
  readonly path: string
  /** Tarballs by their names without the version. */
  readonly tarballs: Readonly<Record<string, string>>
  /** The environment of a shell whose `node` is the Node of these tests, or the one in BUGLE_TEST_NODE. */
  readonly environment: Readonly<Record<string, string>>
  run(command: string, args: readonly string[]): SpawnSyncReturns<string>
}

/** Builds again, from the current sources. */
export async function installPackages(): Promise<InstalledPackages> {
  const folder = temporaryFolder()
  const built = join(folder.path, 'built')
  const path = join(folder.path, 'app')
  const names = await buildPackages(built)
  const tarballs = Object.fromEntries(
    names.map((name) => [name.replace(/-\d.*/, ''), join(built, name)] as const),
  )
  mkdirSync(path)
  writeFileSync(join(path, 'package.json'), '{ "private": true }\n')
  install(path, Object.values(tarballs))
  const environment = environmentWithNode(join(folder.path, 'bin'))
  return {
    path,
    tarballs,
    environment,
    run: (command, args) =>
      spawnSync(command, args, {
        cwd: path,
        env: environment,
        encoding: 'utf8',
        timeout: COMMAND_TIMEOUT_MS,
      }),
    [Symbol.dispose]: () => folder[Symbol.dispose](),
  }
}

/** Needs the registry, like any installation, for dependencies. */
function install(path: string, tarballs: readonly string[]): void {
  const flags = ['--ignore-scripts', '--prefer-offline', '--no-audit', '--no-fund', '--loglevel=error']
  const { status, stderr, error } = spawnSync('npm', ['install', ...flags, ...tarballs], {
    cwd: path,
    encoding: 'utf8',
    timeout: INSTALL_TIMEOUT_MS,
  })
  if (status !== 0) throw new Error(`the packages could not be installed. ${stderr}`, { cause: error })
}

function environmentWithNode(folder: string): Record<string, string> {
  mkdirSync(folder)
  symlinkSync(process.env['BUGLE_TEST_NODE'] ?? process.execPath, join(folder, 'node'))
  const environment = shellEnvironment()
  return { ...environment, PATH: `${folder}:${environment['PATH']}` }
}
