import { isIP, isIPv4 } from 'node:net'
import { MAX_ATTACHMENTS } from '@bugle/contract/vocabulary'
import { byteSizeText, parseByteSize } from './byte-sizes.ts'
import { DEFAULT_RATE_LIMITS, type RateLimits } from './domain/access/rate-limits.ts'
import { type AttachmentLimits, DEFAULT_ATTACHMENT_LIMITS } from './domain/attachments/attachment-limits.ts'
import { type GuardException, parseGuardException } from './outbound/guard-exceptions.ts'
import { PostgresUrlError, parsePostgresUrl } from './postgres-url.ts'
import { type FolderOrBucket, parseFolderOrBucket, parseS3Url, type S3Bucket, S3UrlError } from './s3-url.ts'

/** Everything that can be configured, by environment variables. The documentation is generated from the table below. */
export interface Config {
  readonly databaseUrl: string
  readonly host: string
  readonly port: number
  readonly publicUrl: string | null
  readonly logLevel: LogLevel
  readonly eventDays: number
  readonly deliveryDays: number
  /** `null`: indefinitely. */
  readonly auditDays: number | null
  /** The proxies, as addresses and networks separated by commas, that are trusted to name the client of a request; `false`: none. */
  readonly trustProxy: false | string
  /** `null`: none. */
  readonly rateLimits: RateLimits | null
  /** `null`: next to the SQLite file, or in PostgreSQL. */
  readonly attachmentsBucket: S3Bucket | null
  readonly attachmentLimits: AttachmentLimits
  /** `null`: no scheduled backups. */
  readonly backupPlace: FolderOrBucket | null
  readonly backupHours: number
  /** `null`: all. */
  readonly backupKeep: number | null
  readonly allowPrivateWebhooks: readonly GuardException[]
  /** `null`: the default of the database, see {@link drainSecondsOf}. */
  readonly drainSeconds: number | null
  readonly maxConnections: number
  readonly maxConnectionsPerAddress: number
  readonly metricsToken: string | null
  /** Addresses, `mailto:` or `https:`, for reporting a vulnerability. */
  readonly securityContacts: readonly string[] | null
}

const LOG_LEVELS = ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'] as const
export type LogLevel = (typeof LOG_LEVELS)[number]

export interface Setting<T> {
  readonly variable: string
  /** As it would be written in the environment; `null`: not set. */
  readonly default: string | null
  /** The default as text, if it depends on other settings. */
  readonly defaultText?: string
  readonly meaning: string
  /** Whether it may contain a password, so that error messages do not repeat it. */
  readonly isSecret?: true
  /** Throws a `SettingError` if the value is invalid. */
  readonly parse: (text: string) => T
}

class SettingError extends Error {}

/** Requests that arrive at the end of the draining still have two seconds. */
const MAX_DRAIN_SECONDS = 8

export const SETTINGS = {
  databaseUrl: setting({
    variable: 'BUGLE_DATABASE_URL',
    default: 'sqlite:./data/bugle.db',
    isSecret: true,
    meaning:
      'Where reports are stored: `sqlite:` and a path (`sqlite::memory:` keeps the data only in memory), or `postgres://user:password@host:port/database` for one or more servers on PostgreSQL. Several hosts (`host1:port1,host2:port2`) are tried in turn until one accepts writes.',
    parse: parseDatabaseUrl,
  }),
  host: setting({
    variable: 'BUGLE_HOST',
    default: '127.0.0.1',
    meaning: 'The address to listen on; `0.0.0.0` for all of IPv4, `::` for everything.',
    parse: (text) => text,
  }),
  port: setting({
    variable: 'BUGLE_PORT',
    default: '4000',
    meaning: 'The port to listen on; `0` picks a free port.',
    parse: parsePort,
  }),
  publicUrl: setting({
    variable: 'BUGLE_PUBLIC_URL',
    default: null,
    meaning:
      'The URL at which people and apps reach the server, without a path. Set it if the server is behind a proxy.',
    parse: parsePublicUrl,
  }),
  eventDays: setting({
    variable: 'BUGLE_EVENT_DAYS',
    default: '30',
    meaning:
      'How many days the event feed can be resumed for. The history of an issue is kept as long as the issue.',
    parse: parseDays,
  }),
  deliveryDays: setting({
    variable: 'BUGLE_DELIVERY_DAYS',
    default: '14',
    meaning: 'How many days webhook deliveries and their results are kept.',
    parse: parseDays,
  }),
  auditDays: setting({
    variable: 'BUGLE_AUDIT_DAYS',
    default: null,
    meaning: 'How many days entries of the audit log are kept. Without it, they are kept indefinitely.',
    parse: parseDays,
  }),
  logLevel: setting({
    variable: 'BUGLE_LOG_LEVEL',
    default: 'info',
    meaning: `How much is logged: ${LOG_LEVELS.join(', ')}. \`debug\` logs every request.`,
    parse: (text) =>
      LOG_LEVELS.find((level) => level === text) ?? fail(`must be one of ${LOG_LEVELS.join(', ')}`),
  }),
  trustProxy: setting({
    variable: 'BUGLE_TRUST_PROXY',
    default: 'off',
    meaning:
      'The proxies whose `X-Forwarded-For` is trusted: addresses or networks, separated by commas, as in `127.0.0.1,10.0.0.0/8`.',
    parse: parseTrustProxy,
  }),
  rateLimits: setting({
    variable: 'BUGLE_RATE_LIMITS',
    default: 'on',
    meaning: `Requests a minute, and for \`bulk\` the milliseconds that bulk changes of a project may take a minute: \`on\` for the defaults, \`off\` for no limits, or only the ones to change, as in \`submit=240,project=12000\`. The defaults are \`${namedLimits(DEFAULT_RATE_LIMITS)}\`.`,
    parse: parseRateLimits,
  }),
  attachmentsBucket: setting({
    variable: 'BUGLE_ATTACHMENTS_URL',
    default: null,
    isSecret: true,
    meaning:
      'An S3-compatible bucket for the files of reports: `s3://KEY:SECRET@host:port/bucket/prefix?region=us-east-1`, with `&tls=off` for plain http. If it is not set, files are kept in a folder next to the SQLite file, or in PostgreSQL.',
    parse: parseBucket,
  }),
  attachmentLimits: setting({
    variable: 'BUGLE_ATTACHMENT_LIMITS',
    default: 'on',
    meaning: `Limits for files: \`on\` for the defaults, or only the limits to change, as in \`file=20MiB,project=50GiB\`: files of a report, bytes of a file, of a report and of a project, bytes an hour for a key and address, uploads in progress. The defaults are \`${namedSizes(DEFAULT_ATTACHMENT_LIMITS)}\`.`,
    parse: parseAttachmentLimits,
  }),
  backupPlace: setting({
    variable: 'BUGLE_BACKUP_URL',
    default: null,
    isSecret: true,
    meaning:
      'Where scheduled backups of the SQLite database are stored: a folder (an absolute path, or one that starts with a dot), or `s3://KEY:SECRET@host:port/bucket/prefix`, as in `BUGLE_ATTACHMENTS_URL`. Not set: no scheduled backups. Not available on PostgreSQL; use its own tools.',
    parse: parseBackupPlace,
  }),
  backupHours: setting({
    variable: 'BUGLE_BACKUP_HOURS',
    default: '24',
    meaning: 'Hours between scheduled backups.',
    parse: parseHours,
  }),
  backupKeep: setting({
    variable: 'BUGLE_BACKUP_KEEP',
    default: '7',
    meaning:
      'How many scheduled backups are kept; older ones are deleted. `all` keeps all of them, and the bucket key then needs no right to delete.',
    parse: parseBackupKeep,
  }),
  allowPrivateWebhooks: setting({
    variable: 'BUGLE_ALLOW_PRIVATE_WEBHOOKS',
    default: 'off',
    meaning:
      'Private or plain http destinations that webhooks may be sent to: names or addresses, with or without a port, or networks, separated by commas, as in `hooks.lan,127.0.0.1:9000,10.0.0.0/8`. Plain http needs the host itself to be listed.',
    parse: parseAllowPrivateWebhooks,
  }),
  drainSeconds: setting({
    variable: 'BUGLE_DRAIN_SECONDS',
    default: null,
    defaultText: '`5` on PostgreSQL, `0` on SQLite',
    meaning: `How long the server keeps serving after SIGTERM, in seconds, so that a load balancer can send requests to other servers: \`/readyz\` responds with 503, and each response ends its connection. From 0 to ${MAX_DRAIN_SECONDS}. A shutdown, draining included, normally takes at most 10 seconds; the process exits after 15 in any case.`,
    parse: parseDrainSeconds,
  }),
  maxConnections: setting({
    variable: 'BUGLE_MAX_CONNECTIONS',
    default: '10000',
    meaning:
      'How many connections may be open at once. To accept another one, the slowest or longest idle connection of the address with the most connections is closed.',
    parse: parseMaxConnections,
  }),
  maxConnectionsPerAddress: setting({
    variable: 'BUGLE_MAX_CONNECTIONS_PER_ADDRESS',
    default: '2000',
    meaning:
      'How many connections one address may have; behind a proxy of `BUGLE_TRUST_PROXY`, how many requests of one forwarded address may be in progress. To accept another one, the slowest or longest idle one is closed. Many people can share an address, so do not set this too low.',
    parse: parseMaxConnections,
  }),
  metricsToken: setting({
    variable: 'BUGLE_METRICS_TOKEN',
    default: null,
    isSecret: true,
    meaning:
      'The token for `/metrics` (`Authorization: Bearer …`): at least 16 visible ASCII characters. If it is not set, `/metrics` cannot be read, not even from the same machine.',
    parse: (text) =>
      /^[\x21-\x7e]{16,}$/.test(text) ? text : fail('must have at least 16 visible ASCII characters'),
  }),
  securityContacts: setting({
    variable: 'BUGLE_SECURITY_CONTACT',
    default: null,
    meaning:
      'Contacts for vulnerabilities in this installation, for `/.well-known/security.txt`: email addresses or https URLs, separated by commas, the preferred one first.',
    parse: parseSecurityContacts,
  }),
} satisfies { [K in keyof Config]: Setting<Config[K]> }

/** All problems with the configuration. */
export class ConfigError extends Error {
  override readonly name = 'ConfigError'
}

/** Reads the configuration, or throws a {@link ConfigError} that names every problem. */
export function readConfig(environment: Readonly<Record<string, string | undefined>>): Config {
  const problems: string[] = []
  const values = Object.entries<Setting<unknown>>(SETTINGS).map(
    ([name, { variable, parse, isSecret, ...about }]) => {
      // An empty variable counts as not set, which is how compose files turn one off.
      const text = environment[variable] || about.default
      try {
        return [name, text === null ? null : parse(text)]
      } catch (error) {
        if (!(error instanceof SettingError)) throw error
        problems.push(`${variable} ${error.message}${isSecret ? '' : `; it is ${JSON.stringify(text)}`}.`)
        return [name, null]
      }
    },
  )
  const config = Object.fromEntries(values) as Config
  if (problems.length === 0) problems.push(...conflictsIn(config))
  if (problems.length > 0) throw new ConfigError(problems.join('\n'))
  return config
}

/** Settings that are valid, but not together. */
function conflictsIn({ databaseUrl, backupPlace }: Config): readonly string[] {
  if (backupPlace === null) return []
  if (databaseUrl === 'sqlite::memory:')
    return ['BUGLE_BACKUP_URL cannot be used with a database in memory: there is nothing to back up.']
  if (databaseUrl.startsWith('sqlite:')) return []
  return [
    'BUGLE_BACKUP_URL is for SQLite only. Back up PostgreSQL with pg_dump, or with an archive of its log for point-in-time recovery: see "Backup and restore" in docs/operating.md. Then unset BUGLE_BACKUP_URL.',
  ]
}

/** A server on PostgreSQL may be one of several, which take over. */
export function drainSecondsOf({ drainSeconds, databaseUrl }: Config): number {
  return drainSeconds ?? (databaseUrl.startsWith('sqlite:') ? 0 : 5)
}

function setting<T>(description: Setting<T>): Setting<T> {
  return description
}

function fail(message: string): never {
  throw new SettingError(message)
}

function parseDatabaseUrl(text: string): string {
  if (/^sqlite:.+/.test(text)) return text
  if (!/^postgres(?:ql)?:/.test(text))
    return fail('must be "sqlite:" followed by a path, or a "postgres://" address with a database')
  try {
    parsePostgresUrl(text)
    return text
  } catch (error) {
    if (error instanceof PostgresUrlError) return fail(error.message)
    throw error
  }
}

function parsePort(text: string): number {
  const port = Number(text)
  return /^\d{1,5}$/.test(text) && port <= 65_535 ? port : fail('must be a number from 0 to 65535')
}

function parseDays(text: string): number {
  const days = Number(text)
  return /^\d{1,4}$/.test(text) && days >= 1 ? days : fail('must be a number of days from 1 to 9999')
}

function parseDrainSeconds(text: string): number {
  const seconds = Number(text)
  return /^\d{1,2}$/.test(text) && seconds <= MAX_DRAIN_SECONDS
    ? seconds
    : fail(`must be a number of seconds from 0 to ${MAX_DRAIN_SECONDS}`)
}

function parseMaxConnections(text: string): number {
  const count = Number(text)
  return /^\d{1,6}$/.test(text) && count >= 10 ? count : fail('must be a number from 10 to 999999')
}

/** As required by RFC 9116: addresses with a scheme. */
function parseSecurityContacts(text: string): readonly string[] {
  return text.split(',').map((part) => {
    const contact = part.trim()
    if (/^[^\s@:/]+@[^\s@:/]+$/.test(contact)) return `mailto:${contact}`
    const isAddress = URL.canParse(contact) && /^(?:https|mailto):$/.test(new URL(contact).protocol)
    return isAddress ? new URL(contact).href : fail('must be email addresses or https addresses')
  })
}

function parsePublicUrl(text: string): string {
  const url = URL.canParse(text) ? new URL(text) : undefined
  if (url === undefined || !/^https?:$/.test(url.protocol)) return fail('must be an http or https address')
  // The dashboard needs the root of a host, and links are built by appending a path.
  return url.href === `${url.origin}/`
    ? url.origin
    : fail('must be an address without a path, as in https://bugle.example.com')
}

// A number of proxies is not accepted: it would trust anyone who sends that many addresses (Fastify refuses it too).
function parseTrustProxy(text: string): false | string {
  if (text === 'off') return false
  const isAllNetworks = text.split(',').every((part) => isNetwork(part.trim()))
  return isAllNetworks ? text : fail('must be "off", or addresses and networks such as 127.0.0.1,10.0.0.0/8')
}

function isNetwork(text: string): boolean {
  const [address = '', prefix, ...rest] = text.split('/')
  if (isIP(address) === 0 || rest.length > 0) return false
  return (
    prefix === undefined || (/^[1-9]\d{0,2}$/.test(prefix) && Number(prefix) <= (isIPv4(address) ? 32 : 128))
  )
}

function parseAllowPrivateWebhooks(text: string): readonly GuardException[] {
  if (text === 'off') return []
  return text
    .split(',')
    .map(
      (part) =>
        parseGuardException(part.trim()) ??
        fail('must be "off", or names, addresses and networks such as hooks.lan,127.0.0.1:9000,10.0.0.0/8'),
    )
}

function parseRateLimits(text: string): RateLimits | null {
  if (text === 'off') return null
  if (text === 'on') return DEFAULT_RATE_LIMITS
  const parts = text.split(',').map((part) => part.split('=').map((word) => word.trim()))
  const problems = parts.flatMap(([name = '', value = '', ...rest]) => {
    if (!Object.hasOwn(DEFAULT_RATE_LIMITS, name)) return [`has no limit named "${name}"`]
    return RATE.test(value) && rest.length === 0
      ? []
      : [`needs ${name} to be a whole number from 1 to 9999999`]
  })
  if (problems.length > 0) {
    return fail(
      `${problems.join(' and ')}; use "on", "off", or a list such as "${namedLimits(DEFAULT_RATE_LIMITS)}"`,
    )
  }
  const given = Object.fromEntries(parts.map(([name, value]) => [name, Number(value)]))
  return { ...DEFAULT_RATE_LIMITS, ...given }
}

function parseBucket(text: string): S3Bucket {
  try {
    return parseS3Url(text)
  } catch (error) {
    if (error instanceof S3UrlError) return fail(error.message)
    throw error
  }
}

function parseBackupPlace(text: string): FolderOrBucket {
  try {
    return parseFolderOrBucket(text)
  } catch (error) {
    if (error instanceof S3UrlError) return fail(error.message)
    throw error
  }
}

function parseHours(text: string): number {
  const hours = Number(text)
  return /^\d{1,4}$/.test(text) && hours >= 1 ? hours : fail('must be a number of hours from 1 to 9999')
}

function parseBackupKeep(text: string): number | null {
  if (text === 'all') return null
  const count = Number(text)
  return /^\d{1,4}$/.test(text) && count >= 1 ? count : fail('must be a number from 1 to 9999, or "all"')
}

function parseAttachmentLimits(text: string): AttachmentLimits {
  if (text === 'on') return DEFAULT_ATTACHMENT_LIMITS
  const parts = text.split(',').map((part) => part.split('=').map((word) => word.trim()))
  const given = parts.map(([name = '', value = '', ...rest]) => {
    if (!Object.hasOwn(DEFAULT_ATTACHMENT_LIMITS, name)) return fail(`has no limit named "${name}"`)
    const size = parseByteSize(value)
    if (size === undefined || rest.length > 0) return fail(`needs ${name} to be a number such as 10 or 10MiB`)
    return [name, size] as const
  })
  const limits: AttachmentLimits = { ...DEFAULT_ATTACHMENT_LIMITS, ...Object.fromEntries(given) }
  if (limits.count > MAX_ATTACHMENTS) return fail(`allows at most count=${MAX_ATTACHMENTS}`)
  return limits
}

function namedSizes(limits: AttachmentLimits): string {
  return Object.entries(limits)
    .map(([name, value]) => `${name}=${byteSizeText(value)}`)
    .join(',')
}

const RATE = /^[1-9]\d{0,6}$/

function namedLimits(limits: RateLimits): string {
  return Object.entries(limits)
    .map(([name, value]) => `${name}=${value}`)
    .join(',')
}
