import { execFileSync, spawnSync } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { temporaryFolder } from '../../packages/server/test-support/temporary-folder.ts'
import { shellEnvironment } from './start-process.ts'

/** The printed commands, with their continuation lines. */
export function curlLinesOf(printed: string): readonly string[] {
  return printed.match(/^ *curl .*(?<=\\)(?:\n.*(?<=\\))*\n.*|^ *curl .*/gm) ?? []
}

/** Runs a command as if it was pasted. The status is printed through curl's configuration file, so that the command is not changed. */
export function paste(line: string): { status: string; body: unknown } {
  using folder = temporaryFolder()
  writeFileSync(join(folder.path, '.curlrc'), 'silent\nshow-error\nwrite-out = "\\n%{http_code}"\n')
  const environment = { ...shellEnvironment(), CURL_HOME: folder.path }
  const printed = execFileSync('bash', ['-c', line], { env: environment, encoding: 'utf8' })
  const [body = '', status = ''] = printed.split('\n')
  return { status, body: JSON.parse(body) }
}

export function isInstalled(command: string): boolean {
  return spawnSync(command, ['--version']).status === 0
}
