import { spawnSync } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { readConfig, SETTINGS } from '../packages/server/src/config.ts'
import { temporaryFolder } from '../packages/server/test-support/temporary-folder.ts'
import { ROOT, shellEnvironment, startProcess } from './support/start-process.ts'
import { printedAddress } from './support/start-server.ts'

const PROGRAM = '/opt/bugle/node_modules/.bin/bugle'
const BUGLE = join(ROOT, 'packages/server/bin/bugle.js')
/** The score of systemd, from 0 to 10; a unit without restrictions has 9.6. */
const MAX_EXPOSURE = 2

const unit = readFileSync(join(ROOT, 'deploy/bugle.service'), 'utf8')
const valuesOf = (name: string) =>
  [...unit.matchAll(new RegExp(`^${name}=(.*)$`, 'gm'))].map(([, value = '']) => value)

describe('the systemd unit', () => {
  test('uses only known settings', () => {
    const variables = [...Object.values(SETTINGS).map(({ variable }) => variable), 'NODE_ENV']
    const settings = Object.fromEntries(valuesOf('Environment').map((one) => one.split('=')))
    for (const name of Object.keys(settings)) expect(variables).toContain(name)
    expect(readConfig(settings).databaseUrl).toBe(`sqlite:${valuesOf('WorkingDirectory')[0]}/bugle.db`)
    expect(valuesOf('WorkingDirectory')).toEqual([`/var/lib/${valuesOf('StateDirectory')[0]}`])
  })

  test('gives the server enough time to stop', () => {
    // After 15 seconds the server gives up waiting for its database.
    expect(Number(valuesOf('TimeoutStopSec')[0])).toBeGreaterThan(15)
    expect(Number(valuesOf('LimitNOFILE')[0])).toBeGreaterThan(Number(SETTINGS.maxConnections.default))
  })

  test('starts a server that keeps its data in the state folder, and exits with 0', async () => {
    using state = temporaryFolder()
    const [command = '', ...args] = (valuesOf('ExecStart')[0] ?? '').replace(PROGRAM, BUGLE).split(' ')
    const environment = valuesOf('Environment').map((one) => one.replace('/var/lib/bugle', state.path))
    await using server = startProcess({
      command: process.execPath,
      args: [command, ...args],
      cwd: state.path,
      environment: {
        ...shellEnvironment(),
        ...Object.fromEntries(environment.map((one) => one.split('='))),
        BUGLE_PORT: '0',
      },
    })
    expect((await fetch(`${await printedAddress(server)}/readyz`)).status).toBe(200)
    expect(await server.end('SIGTERM')).toEqual({ code: 0, signal: null })
    expect(readFileSync(join(state.path, 'bugle.db')).length).toBeGreaterThan(0)
  })

  const systemd = spawnSync('systemd-analyze', ['--version'])
  const reason = systemd.status === 0 ? undefined : 'systemd-analyze is not installed'
  if (reason !== undefined) {
    process.stdout.write(`deploy/bugle.service is not judged by systemd, because ${reason}.\n`)
    return
  }

  test('passes systemd-analyze, and uses its restrictions', () => {
    using folder = temporaryFolder()
    const file = join(folder.path, 'bugle.service')
    writeFileSync(file, unit.replace(PROGRAM, BUGLE))
    const verified = spawnSync('systemd-analyze', ['verify', file], { encoding: 'utf8' })
    expect(verified).toMatchObject({ status: 0, stdout: '', stderr: '' })
    const args = ['security', '--offline=true', file]
    const { stdout } = spawnSync('systemd-analyze', args, { encoding: 'utf8' })
    const [, exposure = ''] = /exposure level for bugle.service: ([\d.]+)/.exec(stdout) ?? []
    expect(Number(exposure)).toBeGreaterThan(0)
    expect(Number(exposure)).toBeLessThan(MAX_EXPOSURE)
  })
})
