import { spawnSync } from 'node:child_process'
import { chmodSync, chownSync, cpSync, globSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, relative, sep } from 'node:path'
import { findUnprivilegedUser, type User } from '../../../packages/server/test-support/unprivileged-user.ts'
import { ROOT, shellEnvironment } from '../start-process.ts'
import { readDockerfile, type Stage, type Step, wordsOf } from './read-dockerfile.ts'
import { readDockerignore } from './read-dockerignore.ts'

const STEP_TIMEOUT_MS = 600_000

/** The result of the Dockerfile, in a folder that stands for `/` of the container. */
export interface Image extends Readonly<Build>, Disposable {
  /** The user that runs the server there; `undefined`: the current user, who is not root. */
  readonly user: User | undefined
  readonly command: readonly string[]
  readonly healthCheck: readonly string[]
}

/** The current state of a stage. */
interface Build {
  readonly root: string
  environment: Readonly<Record<string, string>>
  workdir: string
}

/**
 * Runs the steps of the Dockerfile without a container engine: `RUN` as the current user, in an empty folder
 * for each stage. If that is root, steps after `USER` run as another user.
 */
export function buildImage(): Image {
  const folder = mkdtempSync(join(tmpdir(), 'bugle-image-'))
  // Other users need access, as far as the steps allow it.
  chmodSync(folder, 0o755)
  const user = findUnprivilegedUser()
  const stages = readDockerfile(join(ROOT, 'Dockerfile'))
  const builds = new Map<string, Build>()
  for (const [index, stage] of stages.entries())
    builds.set(
      stage.name ?? String(index),
      buildStage(join(folder, `stage-${index}`), stage, { builds, user }),
    )
  const last = [...builds.values()].at(-1)
  if (last === undefined) throw new Error('the Dockerfile has no stage')
  const find = (instruction: string) => stages.at(-1)?.steps.find((step) => step.instruction === instruction)
  return {
    ...last,
    user,
    command: [...wordsOf(find('ENTRYPOINT')), ...wordsOf(find('CMD'))],
    healthCheck: wordsOf(find('HEALTHCHECK')),
    [Symbol.dispose]: () => rmSync(folder, { recursive: true, force: true }),
  }
}

interface StageContext {
  readonly builds: ReadonlyMap<string, Build>
  readonly user: User | undefined
}

function buildStage(root: string, { steps }: Stage, context: StageContext): Build {
  // The base image has only Node.
  const programs = join(root, 'usr/local/bin')
  mkdirSync(programs, { recursive: true })
  cpSync(process.execPath, join(programs, 'node'))
  const environment = shellEnvironment()
  const build: Build = {
    root,
    workdir: root,
    environment: { ...environment, PATH: `${programs}:${environment['PATH']}` },
  }
  for (const step of steps) take(build, step, context)
  return build
}

function take(build: Build, step: Step, context: StageContext): void {
  const { instruction, text } = step
  if (instruction === 'WORKDIR') {
    build.workdir = placeIn(build, text)
    mkdirSync(build.workdir, { recursive: true })
  }
  if (instruction === 'ENV') build.environment = { ...build.environment, ...variablesOf(build, text) }
  if (instruction === 'COPY') copy(build, step, context)
  if (instruction === 'RUN') run(build, text)
}

/** The location of a path of the container. */
function placeIn({ root, workdir }: Build, path: string): string {
  return path.startsWith('/') ? join(root, path) : join(workdir, path)
}

function variablesOf({ root, environment }: Build, text: string): Record<string, string> {
  const variables = [...text.matchAll(/(\w+)=(\S+)/g)].map(([, name = '', value = '']) => {
    const placed = value.replace(/(?<=^|:)\/(?:app|data)\b/, (path) => join(root, path))
    return [name, placed.replace('$PATH', environment['PATH'] ?? '')]
  })
  return Object.fromEntries(variables)
}

function copy(build: Build, { flags: { from, chown }, text }: Step, { builds, user }: StageContext): void {
  const [source = '', target = ''] = text.split(' ')
  const place = placeIn(build, target)
  const other = from === undefined ? undefined : builds.get(from)
  if (other === undefined) {
    copySources(place)
    return
  }
  const [path, ...more] = globSync(placeIn(other, source))
  if (path === undefined || more.length > 0) throw new Error(`COPY ${text}: one file or folder is expected`)
  cpSync(path, place, { recursive: true })
  if (chown !== undefined && user) chownSync(place, user.uid, user.gid)
}

/** `COPY . .`, without the files in .dockerignore. */
function copySources(target: string): void {
  const isLeftOut = readDockerignore(join(ROOT, '.dockerignore'))
  cpSync(ROOT, target, {
    recursive: true,
    filter: (path) => {
      const place = relative(ROOT, path).split(sep).join('/')
      return place === '' || !isLeftOut(place)
    },
  })
}

function run({ workdir, environment }: Build, command: string): void {
  const { status, stdout, stderr, error } = spawnSync('sh', ['-c', command], {
    cwd: workdir,
    // Includes variables for certificates and so on that the machine may set for its own Node.
    env: { ...process.env, ...environment },
    encoding: 'utf8',
    timeout: STEP_TIMEOUT_MS,
  })
  if (status !== 0) throw new Error(`RUN ${command} failed\n${stdout}${stderr}`, { cause: error })
}
