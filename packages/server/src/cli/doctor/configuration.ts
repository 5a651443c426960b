import { statSync } from 'node:fs'
import { isIPv6 } from 'node:net'
import { dirname } from 'node:path'
import type { Config } from '../../config.ts'
import { sqliteFileOf } from '../../storage/backups.ts'
import type { CommandContext } from '../command.ts'
import { isLocal } from './exposure.ts'
import { type Finding, ok, problem, warning } from './findings.ts'

const CHECK = 'configuration'
const OPEN_TO_OTHERS = 0o077

/** Settings that are valid but probably not intended. Invalid settings are refused by every command. */
export function checkConfiguration({
  config,
  unknownSettings,
}: Pick<CommandContext, 'config' | 'unknownSettings'>): readonly Finding[] {
  const findings = [
    ...unknownSettings.map((sentence) =>
      warning(CHECK, sentence, 'docs/configuration.md lists all settings'),
    ),
    ...checkAddress(config),
    ...checkLimits(config),
    ...checkPlace(config.databaseUrl),
  ]
  return findings.length > 0 ? findings : [ok(CHECK, 'no problems found')]
}

function checkAddress({ host, publicUrl, trustProxy }: Config): readonly Finding[] {
  const findings: Finding[] = []
  if (!isLocal(host) && publicUrl === null) {
    const shown = isIPv6(host) ? `[${host}]` : host
    const advice = 'set BUGLE_PUBLIC_URL: links in emails and messages start with it'
    findings.push(warning(CHECK, `the server listens on ${shown}, but BUGLE_PUBLIC_URL is not set`, advice))
  }
  if (publicUrl?.startsWith('http:') && !/^http:\/\/(?:localhost|127\.)/.test(publicUrl))
    findings.push(
      warning(
        CHECK,
        'people and apps connect without https',
        'put a reverse proxy with a certificate in front of it',
      ),
    )
  if (publicUrl?.startsWith('https:') && isLocal(host) && trustProxy === false) {
    const advice =
      'set BUGLE_TRUST_PROXY to the address of the proxy; until then all clients share one rate limit'
    findings.push(warning(CHECK, 'the server seems to be behind a proxy, but no proxy is trusted', advice))
  }
  return findings
}

function checkLimits({ rateLimits }: Config): readonly Finding[] {
  if (rateLimits !== null) return []
  return [
    warning(
      CHECK,
      'rate limits are off',
      'set BUGLE_RATE_LIMITS=on, unless a proxy in front of it limits requests',
    ),
  ]
}

function checkPlace(databaseUrl: string): readonly Finding[] {
  if (databaseUrl === 'sqlite::memory:')
    return [
      problem(
        CHECK,
        'the database is in memory',
        'set BUGLE_DATABASE_URL: in memory, reports are lost when the process ends',
      ),
    ]
  const path = sqliteFileOf(databaseUrl)
  const folder = path === undefined ? undefined : statSync(dirname(path), { throwIfNoEntry: false })
  if (!folder?.isDirectory() || process.platform === 'win32' || (folder.mode & OPEN_TO_OTHERS) === 0)
    return []
  const advice = `chmod 700 ${dirname(path ?? '')}`
  return [warning(CHECK, 'other accounts on this machine can read the folder of the database', advice)]
}
