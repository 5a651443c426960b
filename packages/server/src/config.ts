/** Everything that can be configured, by environment variables. The documentation is made from the table below. */
export interface Config {
  readonly databaseUrl: string
  readonly host: string
  readonly port: number
  readonly publicUrl: string | null
  readonly logLevel: LogLevel
  readonly hasRateLimits: boolean
}

const LOG_LEVELS = ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'] as const
export type LogLevel = (typeof LOG_LEVELS)[number]

interface Setting<T> {
  readonly variable: string
  /** As it would be written in the environment; `null`: not set. */
  readonly default: string | null
  readonly meaning: string
  /** Says what is wrong by throwing a `SettingError`. */
  readonly parse: (text: string) => T
}

class SettingError extends Error {}

export const SETTINGS = {
  databaseUrl: setting({
    variable: 'BUGLE_DATABASE_URL',
    default: 'sqlite:./data/bugle.db',
    meaning: 'Where reports are stored: `sqlite:` and a path (`sqlite::memory:` keeps nothing).',
    parse: (text) => (/^sqlite:.+/.test(text) ? text : fail('must be "sqlite:" followed by a path')),
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
    meaning: 'The address by which people and apps reach the server, if it is behind a proxy.',
    parse: parsePublicUrl,
  }),
  logLevel: setting({
    variable: 'BUGLE_LOG_LEVEL',
    default: 'info',
    meaning: `How much is logged: ${LOG_LEVELS.join(', ')}. \`debug\` has a line for every request.`,
    parse: (text) =>
      LOG_LEVELS.find((level) => level === text) ?? fail(`must be one of ${LOG_LEVELS.join(', ')}`),
  }),
  hasRateLimits: setting({
    variable: 'BUGLE_RATE_LIMITS',
    default: 'on',
    meaning: '`off` switches all rate limits off.',
    parse: (text) => (text === 'on' || text === 'off' ? text === 'on' : fail('must be "on" or "off"')),
  }),
} satisfies { [K in keyof Config]: Setting<NonNullable<Config[K]>> }

/** What is wrong with the configuration, all of it at once. */
export class ConfigError extends Error {
  override readonly name = 'ConfigError'
}

/** Reads the configuration, or throws a {@link ConfigError} that names every problem. */
export function readConfig(environment: Readonly<Record<string, string | undefined>>): Config {
  const problems: string[] = []
  const values = Object.entries<Setting<unknown>>(SETTINGS).map(([name, { variable, parse, ...about }]) => {
    // An empty variable is as good as none: that is how compose files switch one off.
    const text = environment[variable] || about.default
    try {
      return [name, text === null ? null : parse(text)]
    } catch (error) {
      if (!(error instanceof SettingError)) throw error
      problems.push(`${variable} ${error.message}; it is ${JSON.stringify(text)}.`)
      return [name, null]
    }
  })
  if (problems.length > 0) throw new ConfigError(problems.join('\n'))
  return Object.fromEntries(values) as Config
}

function setting<T>(description: Setting<T>): Setting<T> {
  return description
}

function fail(message: string): never {
  throw new SettingError(message)
}

function parsePort(text: string): number {
  const port = Number(text)
  return /^\d{1,5}$/.test(text) && port <= 65_535 ? port : fail('must be a number from 0 to 65535')
}

function parsePublicUrl(text: string): string {
  const url = URL.canParse(text) ? new URL(text) : undefined
  if (url === undefined || !/^https?:$/.test(url.protocol)) return fail('must be an http or https address')
  return url.href.replace(/\/$/, '')
}
