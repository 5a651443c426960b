import { statSync } from 'node:fs'
import { isIPv6 } from 'node:net'
import { dirname } from 'node:path'
import type { Config } from '../../config.ts'
import { sqliteFileOf } from '../../storage/backups.ts'
import type { Surroundings } from '../command.ts'
import { isLocal } from './exposure.ts'
import { type Finding, ok, problem, warning } from './findings.ts'

const CHECK = 'configuration'
const OPEN_TO_OTHERS = 0o077

/** What was understood, but hardly meant. What can not be understood no command accepts. */
export function checkConfiguration({
  config,
  unknownSettings,
}: Pick<Surroundings, 'config' | 'unknownSettings'>): readonly Finding[] {
  const findings = [
    ...unknownSettings.map((sentence) => warning(CHECK, sentence, 'docs/configuration.md has all settings')),
    ...checkAddress(config),
    ...checkLimits(config),
    ...checkPlace(config.databaseUrl),
  ]
  return findings.length > 0 ? findings : [ok(CHECK, 'every setting makes sense')]
}

function checkAddress({ host, publicUrl, trustProxy }: Config): readonly Finding[] {
  const findings: Finding[] = []
  if (!isLocal(host) && publicUrl === null) {
    const shown = isIPv6(host) ? `[${host}]` : host
    const advice = 'set BUGLE_PUBLIC_URL: links in e-mails and messages are made from it'
    findings.push(warning(CHECK, `it listens on ${shown}, and does not know its own address`, advice))
  }
  if (publicUrl?.startsWith('http:') && !/^http:\/\/(?:localhost|127\.)/.test(publicUrl))
    findings.push(
      warning(CHECK, 'people and apps reach it without https', 'put a proxy with a certificate before it'),
    )
  if (publicUrl?.startsWith('https:') && isLocal(host) && trustProxy === false) {
    const advice = 'set BUGLE_TRUST_PROXY to the address of the proxy, or all clients share one limit'
    findings.push(warning(CHECK, 'it is behind a proxy whose word it does not believe', advice))
  }
  return findings
}

function checkLimits({ rateLimits }: Config): readonly Finding[] {
  if (rateLimits !== null) return []
  return [
    warning(CHECK, 'there are no rate limits', 'BUGLE_RATE_LIMITS=on, unless something before it has limits'),
  ]
}

function checkPlace(databaseUrl: string): readonly Finding[] {
  if (databaseUrl === 'sqlite::memory:')
    return [
      problem(
        CHECK,
        'the database is in memory',
        'set BUGLE_DATABASE_URL: reports are gone with the process',
      ),
    ]
  const path = sqliteFileOf(databaseUrl)
  const folder = path === undefined ? undefined : statSync(dirname(path), { throwIfNoEntry: false })
  if (!folder?.isDirectory() || process.platform === 'win32' || (folder.mode & OPEN_TO_OTHERS) === 0)
    return []
  const advice = `chmod 700 ${dirname(path ?? '')}`
  return [warning(CHECK, 'other accounts of the machine may look into the folder of the database', advice)]
}
