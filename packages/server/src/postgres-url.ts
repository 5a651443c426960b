/** A `postgres://` address, read as libpq reads it. */
export interface PostgresUrl {
  /** The address once for each host, in the order to try them; what is listed below is left out. */
  readonly hosts: readonly string[]
  /** Whether a host that accepts no writes is passed over. */
  readonly mustBeWritable: boolean
  /** What to pass on to the server as it is. */
  readonly options: string | null
  /** The settings in the options and in parameters of their own, by their lower-case names. */
  readonly settings: ReadonlyMap<string, string>
}

/** The message continues "BUGLE_DATABASE_URL …". */
export class PostgresUrlError extends Error {
  override readonly name = 'PostgresUrlError'
}

const SHAPE = /^(postgres(?:ql)?:\/\/)(?:([^/?#]*)@)?([^/?#@]*)(\/[^?#]+)(\?[^#]*)?$/
/** Parameters that the driver would let replace settings of ours. */
const SETTINGS = [
  'statement_timeout',
  'lock_timeout',
  'idle_in_transaction_session_timeout',
  'query_timeout',
] as const
/** Values of `target_session_attrs` that a server that accepts writes may meet. */
const WRITABLE = ['any', 'read-write', 'primary']

/** Reads an address, or says what is wrong with it by throwing a {@link PostgresUrlError}. */
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
  const options = parameters.get('options')
  const settings = new Map(options === null ? [] : settingsIn(options))
  for (const name of SETTINGS) {
    const value = parameters.get(name)
    if (value !== null) settings.set(name, value)
  }
  for (const { searchParams } of hosts)
    for (const name of ['options', 'target_session_attrs', ...SETTINGS]) searchParams.delete(name)
  return {
    hosts: hosts.map(({ href }) => href),
    mustBeWritable: hosts.length > 1 || (wanted !== null && wanted !== 'any'),
    options,
    settings,
  }
}

const PASSWORD = /(?<=^[^/]*\/\/[^:@/]*):[^/?#]*(?=@)/

/** The address as it may be shown, wherever the password stands in it. */
export function hidePassword(url: string): string {
  return url.replace(PASSWORD, ':…').replace(/(?<=[?&]password=)[^&#]*/g, '…')
}

/** The address for a program that gets the password from elsewhere. */
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
