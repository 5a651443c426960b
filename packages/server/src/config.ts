import { isIP, isIPv4 } from 'node:net'
import { DEFAULT_RATE_LIMITS, type RateLimits } from './domain/access/rate-limits.ts'
import { type GuardException, parseGuardException } from './outbound/guard-exceptions.ts'
import { PostgresUrlError, parsePostgresUrl } from './postgres-url.ts'

/** Everything that can be configured, by environment variables. The documentation is made from the table below. */
export interface Config {
  readonly databaseUrl: string
  readonly host: string
  readonly port: number
  readonly publicUrl: string | null
  readonly logLevel: LogLevel
  readonly eventDays: number
  readonly deliveryDays: number
  /** The addresses and networks, separated by commas, whose word counts on where a request comes from; `false`: none. */
  readonly trustProxy: false | string
  /** `null`: none. */
  readonly rateLimits: RateLimits | null
  readonly allowPrivateWebhooks: readonly GuardException[]
  readonly maxConnections: number
  readonly maxConnectionsPerAddress: number
  readonly metricsToken: string | null
  /** Addresses, `mailto:` or `https:`, for whoever finds a hole. */
  readonly securityContacts: readonly string[] | null
}

const LOG_LEVELS = ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'] as const
export type LogLevel = (typeof LOG_LEVELS)[number]

interface Setting<T> {
  readonly variable: string
  /** As it would be written in the environment; `null`: not set. */
  readonly default: string | null
  readonly meaning: string
  /** Whether it may hold a password, so that it is not repeated in a complaint. */
  readonly isSecret?: true
  /** Says what is wrong by throwing a `SettingError`. */
  readonly parse: (text: string) => T
}

class SettingError extends Error {}

export const SETTINGS = {
  databaseUrl: setting({
    variable: 'BUGLE_DATABASE_URL',
    default: 'sqlite:./data/bugle.db',
    isSecret: true,
    meaning:
      'Where reports are stored: `sqlite:` and a path (`sqlite::memory:` keeps nothing), or `postgres://user:password@host:port/database` for one or more servers on PostgreSQL. Several hosts (`host1:port1,host2:port2`) are tried in turn until one accepts writes.',
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
    meaning: 'The port to listen on; `0` takes a free one.',
    parse: parsePort,
  }),
  publicUrl: setting({
    variable: 'BUGLE_PUBLIC_URL',
    default: null,
    meaning:
      'The URL by which people and apps reach the server, without a path. Set it if the server is behind a proxy.',
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
    meaning: `Requests a minute: \`on\` for the defaults, \`off\` for no limits, or only the ones to change, as in \`submit=240,project=12000\`. The defaults are \`${namedLimits(DEFAULT_RATE_LIMITS)}\`.`,
    parse: parseRateLimits,
  }),
  allowPrivateWebhooks: setting({
    variable: 'BUGLE_ALLOW_PRIVATE_WEBHOOKS',
    default: 'off',
    meaning:
      'Private or plain http destinations that webhooks may be sent to: names or addresses, with or without a port, or networks, separated by commas, as in `hooks.lan,127.0.0.1:9000,10.0.0.0/8`. Plain http needs the host itself to be listed.',
    parse: parseAllowPrivateWebhooks,
  }),
  maxConnections: setting({
    variable: 'BUGLE_MAX_CONNECTIONS',
    default: '10000',
    meaning:
      'How many connections may be open at once. For one more, the slowest or longest idle one of the address with the most connections is closed.',
    parse: parseMaxConnections,
  }),
  maxConnectionsPerAddress: setting({
    variable: 'BUGLE_MAX_CONNECTIONS_PER_ADDRESS',
    default: '2000',
    meaning:
      'How many of them one address may have; behind a proxy of `BUGLE_TRUST_PROXY`, how many requests of one forwarded address may be under way. For one more, the slowest or longest idle one is closed. Many people can share an address, so leave room.',
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
      'Whom to contact about a vulnerability in this installation, for `/.well-known/security.txt`: e-mail addresses or https URLs, separated by commas, the preferred one first.',
    parse: parseSecurityContacts,
  }),
} satisfies { [K in keyof Config]: Setting<Config[K]> }

/** What is wrong with the configuration, all of it at once. */
export class ConfigError extends Error {
  override readonly name = 'ConfigError'
}

/** Reads the configuration, or throws a {@link ConfigError} that names every problem. */
export function readConfig(environment: Readonly<Record<string, string | undefined>>): Config {
  const problems: string[] = []
  const values = Object.entries<Setting<unknown>>(SETTINGS).map(
    ([name, { variable, parse, isSecret, ...about }]) => {
      // An empty variable is as good as none: that is how compose files switch one off.
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
  if (problems.length > 0) throw new ConfigError(problems.join('\n'))
  return Object.fromEntries(values) as Config
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

function parseMaxConnections(text: string): number {
  const count = Number(text)
  return /^\d{1,6}$/.test(text) && count >= 10 ? count : fail('must be a number from 10 to 999999')
}

/** As RFC 9116 wants them: addresses with a scheme. */
function parseSecurityContacts(text: string): readonly string[] {
  return text.split(',').map((part) => {
    const contact = part.trim()
    if (/^[^\s@:/]+@[^\s@:/]+$/.test(contact)) return `mailto:${contact}`
    const isAddress = URL.canParse(contact) && /^(?:https|mailto):$/.test(new URL(contact).protocol)
    return isAddress ? new URL(contact).href : fail('must be e-mail addresses or https addresses')
  })
}

function parsePublicUrl(text: string): string {
  const url = URL.canParse(text) ? new URL(text) : undefined
  if (url === undefined || !/^https?:$/.test(url.protocol)) return fail('must be an http or https address')
  // The dashboard needs the root of an address, and links are made by putting a path after it.
  return url.href === `${url.origin}/`
    ? url.origin
    : fail(
        'must be only the beginning of an address, with a name of its own and no path: https://bugle.example.com',
      )
}

// A number of proxies is no choice: it would believe anybody who sends that many addresses (Fastify refuses it too).
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
    if (!Object.hasOwn(DEFAULT_RATE_LIMITS, name)) return [`has no limit called "${name}"`]
    return RATE.test(value) && rest.length === 0
      ? []
      : [`needs ${name} to be a whole number from 1 to 9999999`]
  })
  if (problems.length > 0) {
    return fail(`${problems.join(' and ')}; write "on", "off", or like "${namedLimits(DEFAULT_RATE_LIMITS)}"`)
  }
  const given = Object.fromEntries(parts.map(([name, value]) => [name, Number(value)]))
  return { ...DEFAULT_RATE_LIMITS, ...given }
}

const RATE = /^[1-9]\d{0,6}$/

function namedLimits(limits: RateLimits): string {
  return Object.entries(limits)
    .map(([name, value]) => `${name}=${value}`)
    .join(',')
}
