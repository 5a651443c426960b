import { isIPv6 } from 'node:net'
import type { Config } from '../../config.ts'
import type { ProjectRecord } from '../../model/projects.ts'
import { type Finding, ok } from './findings.ts'

const CHECK = 'exposure'
const SHOWN = 10

/** Which machines can connect to the server, and what clients without a key can see. */
export function checkExposure({ host, port, metricsToken }: Config): readonly Finding[] {
  const address = `${isIPv6(host) ? `[${host}]` : host}:${port}`
  const reach = isLocal(host)
    ? 'only from this machine, which includes proxies on it'
    : 'from every machine that can reach this address'
  return [
    ok(CHECK, `${address} can be reached ${reach}`),
    ok(CHECK, 'open to anyone: the sign-in page, /docs, /problems, /openapi.json, /healthz, /readyz'),
    metricsToken === null
      ? ok(CHECK, '/metrics: closed to everyone, because BUGLE_METRICS_TOKEN is not set')
      : ok(CHECK, '/metrics: open to clients that send the token in BUGLE_METRICS_TOKEN'),
  ]
}

/** The projects that anyone can read. */
export function checkPublicProjects(projects: readonly ProjectRecord[]): Finding {
  const slugs = projects.filter(({ isPublic }) => isPublic).map(({ slug }) => slug)
  if (slugs.length === 0) return ok(CHECK, 'no project is public')
  const more = slugs.length > SHOWN ? ` and ${slugs.length - SHOWN} more` : ''
  return ok(CHECK, `public projects, readable by anyone: ${slugs.slice(0, SHOWN).join(', ')}${more}`)
}

/** Whether the address to listen on is one that only this machine can connect to. */
export function isLocal(host: string): boolean {
  return /^(?:127\.|localhost$)/.test(host) || host === '::1'
}
