/** A `postgres://` URL, interpreted as libpq does. */
export interface PostgresUrl {
  /** One URL for each host, in the order to try them, without the settings listed below. */
  readonly hosts: readonly string[]
  /** Whether a host that accepts no writes is skipped. */
  readonly mustBeWritable: boolean
  /** How long to wait for a connection. */
  readonly connectTimeoutMs: number
  /** Options to pass on to the server unchanged. */
  readonly options: string | null
  /** The settings in the options and in separate parameters, by their lower-case names. */
  readonly settings: ReadonlyMap<string, string>
}

/** The message continues "BUGLE_DATABASE_URL …". */
export class PostgresUrlError extends Error {
  override readonly name = 'PostgresUrlError'
}

const SHAPE = /^(postgres(?:ql)?:\/\/)(?:([^/?#]*)@)?([^/?#@]*)(\/[^?#]+)(\?[^#]*)?$/
/** Parameters that the driver would use to override our settings. */
const SETTINGS = [
  'statement_timeout',
  'lock_timeout',
  'idle_in_transaction_session_timeout',
  'query_timeout',
] as const
const DEFAULT_CONNECT_TIMEOUT = '5'
/** Values of `target_session_attrs` that a writable server can satisfy. */
const WRITABLE = ['any', 'read-write', 'primary']

/** Parses a URL, or throws a {@link PostgresUrlError} with the reason. */
export function parsePostgresUrl(text: string): PostgresUrl {
  const [, scheme = '', user, hostList = '', path = '', query = ''] = SHAPE.exec(text) ?? []
  if (scheme === '') throw new PostgresUrlError('must be a "postgres://" address with a database')
  const names = hostList.split(',')
  const hosts = names.map((name) => {
    const address = `${scheme}${user === undefined ? '' : `${user}@`}${name}${path}${query}`
    if ((name === '' && names.length > 1) || !URL.canParse(address))
      throw new PostgresUrlError(`has a host or port that cannot be read: "${name}"`)
    return new URL(address)
  })
  const parameters = new URLSearchParams(query)
  const wanted = parameters.get('target_session_attrs')
  if (wanted !== null && !WRITABLE.includes(wanted))
    throw new PostgresUrlError(
      `has target_session_attrs=${wanted}, but the server must accept writes: use read-write`,
    )
  const seconds = parameters.get('connect_timeout') ?? DEFAULT_CONNECT_TIMEOUT
  if (!/^[1-9]\d{0,3}$/.test(seconds))
    throw new PostgresUrlError(
      `has connect_timeout=${seconds}, but it must be a number of seconds from 1 to 9999`,
    )
  requireSslMode(parameters)
  const options = parameters.get('options')
  const settings = new Map(options === null ? [] : settingsIn(options))
  for (const name of SETTINGS) {
    const value = parameters.get(name)
    if (value !== null) settings.set(name, value)
  }
  // Without this, the driver treats every mode as verify-full.
  if (parameters.has('sslmode'))
    for (const { searchParams } of hosts) searchParams.set('uselibpqcompat', 'true')
  for (const { searchParams } of hosts)
    for (const name of ['options', 'target_session_attrs', 'connect_timeout', ...SETTINGS])
      searchParams.delete(name)
  return {
    hosts: hosts.map(({ href }) => href),
    mustBeWritable: hosts.length > 1 || (wanted !== null && wanted !== 'any'),
    connectTimeoutMs: Number(seconds) * 1_000,
    options,
    settings,
  }
}

/** Those of libpq that do not fall back to another one, which the driver could not do. */
const SSL_MODES = ['disable', 'require', 'verify-ca', 'verify-full']

function requireSslMode(parameters: URLSearchParams): void {
  const mode = parameters.get('sslmode')
  if (mode !== null && !SSL_MODES.includes(mode))
    throw new PostgresUrlError(`has sslmode=${mode}, but it must be one of ${SSL_MODES.join(', ')}`)
  if (mode === 'verify-ca' && !parameters.has('sslrootcert'))
    throw new PostgresUrlError(
      'has sslmode=verify-ca, which needs sslrootcert, a file with the certificate to trust',
    )
}

const PASSWORD = /(?<=^[^/]*\/\/[^:@/]*):[^/?#]*(?=@)/

/** The URL without the password, wherever it is. */
export function hidePassword(url: string): string {
  return url.replace(PASSWORD, ':…').replace(/(?<=[?&]password=)[^&#]*/g, '…')
}

/** The URL for a program that gets the password from elsewhere. */
export function dropPassword(url: string): string {
  const [address = '', query = ''] = url.split('?')
  const parameters = query.split('&').filter((one) => one !== '' && !one.startsWith('password='))
  return [address.replace(PASSWORD, ''), ...(parameters.length > 0 ? [parameters.join('&')] : [])].join('?')
}

/** `-c name=value`, `-cname=value` and `--name=value`; a backslash protects a space in a value. */
function settingsIn(options: string): readonly (readonly [string, string])[] {
  const found = options.matchAll(/(?:^|\s)(?:-c\s*|--)([\w.-]+)=((?:\\.|[^\s\\])*)/g)
  return Array.from(found, ([, name = '', value = '']) => [
    name.toLowerCase().replaceAll('-', '_'),
    value.replaceAll(/\\(.)/g, '$1'),
  ])
}
