import { spawnSync } from 'node:child_process'
import { cpSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

export const ROOT = fileURLToPath(new URL('../..', import.meta.url))

type Environment = Readonly<Record<string, string | undefined>>

/** A package.json, as far as it differs between packages. */
export interface Manifest {
  readonly [member: string]: unknown
  readonly name: string
  readonly files?: readonly string[]
  readonly dependencies?: Readonly<Record<string, string>>
}

/** Completes a package that was built in `folder`, and packs it; returns the name of the tarball in `target`. */
export function packPackage(folder: string, manifest: Manifest, target: string): string {
  // npm includes them automatically, except for the changelog.
  for (const file of ['LICENSE', 'CHANGELOG.md']) cpSync(join(ROOT, file), join(folder, file))
  const published = {
    ...manifest,
    files: [...(manifest.files ?? []), 'CHANGELOG.md'],
    ...repositoryOf(process.env),
    publishConfig: { access: 'public', provenance: true },
  }
  writeFileSync(join(folder, 'package.json'), `${JSON.stringify(published, null, 2)}\n`)
  const args = ['pack', '--ignore-scripts', '--silent', '--pack-destination', target]
  return runNpm(args, folder).trim().split('\n').at(-1) ?? ''
}

/** The manifest of a package of the workspace, without what only the workspace needs. */
export function readManifest(name: string): Manifest {
  const text = readFileSync(join(ROOT, 'packages', name, 'package.json'), 'utf8')
  const { private: _, scripts, devDependencies, ...manifest } = JSON.parse(text)
  return manifest
}

/** Dependencies that come from npm: those of the workspace are bundled. */
export function withoutWorkspace(dependencies: Manifest['dependencies'] = {}): Record<string, string> {
  return Object.fromEntries(Object.entries(dependencies).filter(([name]) => !name.startsWith('@bugle/')))
}

/** Runs the npm that started this process, if any: on Windows it is a script, not a program. */
function runNpm(args: readonly string[], cwd: string): string {
  const script = process.env['npm_execpath']
  return script ? runTool(process.execPath, [script, ...args], cwd) : runTool('npm', args, cwd)
}

/** Runs a program to its end, and returns its output. */
export function runTool(command: string, args: readonly string[], cwd: string): string {
  const { status, error, stdout, stderr } = spawnSync(command, args, { cwd, encoding: 'utf8' })
  if (status === 0) return stdout
  throw new Error(`${command} ${args.join(' ')} failed\n${stdout}${stderr}`, { cause: error })
}

/** npm requires the repository when a package is published with provenance; the build service provides it. */
export function repositoryOf({ GITHUB_SERVER_URL, GITHUB_REPOSITORY }: Environment) {
  if (!GITHUB_SERVER_URL || !GITHUB_REPOSITORY) return {}
  return { repository: { type: 'git', url: `git+${GITHUB_SERVER_URL}/${GITHUB_REPOSITORY}.git` } }
}
