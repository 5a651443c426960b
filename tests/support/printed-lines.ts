import { execFileSync, spawnSync } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { temporaryFolder } from '../../packages/server/test-support/temporary-folder.ts'
import { shellEnvironment } from './start-process.ts'

/** The commands as they were printed, with the lines they go on for. */
export function curlLinesOf(printed: string): readonly string[] {
  return printed.match(/^ *curl .*(?<=\\)(?:\n.*(?<=\\))*\n.*|^ *curl .*/gm) ?? []
}

/** Runs a line as if it was pasted. The status comes from curl's own settings file: the line stays as it is. */
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
