import pg from 'pg'
import { parsePostgresUrl } from '../../../postgres-url.ts'
import { StorageUnavailable } from '../../storage.ts'
import { isReadOnlyFault, readOnlyFault, toFault } from './faults.ts'
import { createSessionSetUp, type SessionState } from './set-up-session.ts'

/** A connection without any response for this long, not even a timeout error, is closed. */
const SILENCE_TIMEOUT_MS = 15_000

/** Opens connections to a database: with our settings, and to the host that is currently in use. */
export interface Connector {
  /** Opens a connection outside of the pools. The caller ends it. */
  connect(): Promise<Connection>
  /** `settings`: of its sessions, unless the address has others. */
  createPool(max: number, settings?: Readonly<Record<string, string>>): Pool
}

export interface Connection {
  readonly client: pg.Client
  readonly state: SessionState
}

export interface Pool {
  /** Provides a connection. If the host in use cannot be reached, each of the others is tried once. */
  acquire(): Promise<pg.PoolClient>
  /** Closes a connection. If its host accepts no writes, another host is used next. */
  discard(client: pg.PoolClient, fault: unknown): void
  end(): Promise<void>
}

export function createConnector(url: string): Connector {
  const { hosts, mustBeWritable, connectTimeoutMs, options, settings } = parsePostgresUrl(url)
  const setUpSession = createSessionSetUp(settings)
  const config = {
    ...CONFIG,
    connectionTimeoutMillis: connectTimeoutMs,
    ...(options !== null && { options }),
  }
  /** How often the host was switched. It is also the index of the current host, modulo the length of the list. */
  let turn = 0

  /** Connects to the host that is in use when it is created. */
  class HostClient extends pg.Client {
    readonly turn = turn

    constructor(given: pg.ClientConfig = config) {
      super({ ...given, connectionString: hosts[turn % hosts.length] ?? '' })
      // Queries that use a broken connection fail, and the pool drops it; without a listener it would end the process.
      this.on('error', ignore)
    }

    override connect(): Promise<pg.Client>
    override connect(callback: OnConnected): void
    override connect(callback?: OnConnected): Promise<pg.Client> | undefined {
      if (callback === undefined) return super.connect()
      super.connect((error: Error | null) => {
        if (error !== null) giveUp(this)
        const tell = callback as (error: Error | null, client: pg.Client) => void
        tell(error, this)
      })
      return undefined
    }
  }

  /** Several connections may detect the same failure: only the first one counts. */
  function giveUp(client: HostClient): void {
    if (client.turn === turn) turn++
  }

  function isInUse(client: HostClient): boolean {
    return client.turn % hosts.length === turn % hosts.length
  }

  async function setUp(client: HostClient, setUpOwn = setUpSession): Promise<SessionState> {
    try {
      const state = await setUpOwn(client)
      if (mustBeWritable && state.isReadOnly) throw readOnlyFault(`${client.host}:${client.port}`)
      return state
    } catch (error) {
      giveUp(client)
      throw error
    }
  }

  async function open(): Promise<Connection> {
    const client = new HostClient()
    try {
      await new Promise<void>((resolve, reject) =>
        client.connect((error: Error | null) => (error === null ? resolve() : reject(error))),
      )
      return { client, state: await setUp(client) }
    } catch (error) {
      // If left open, it would occupy a connection of the server and keep this process alive.
      void client.end().catch(ignore)
      throw error
    }
  }

  async function tryHosts<T>(attempt: () => Promise<T>): Promise<T> {
    const faults: Error[] = []
    for (;;) {
      const began = turn
      try {
        return await attempt()
      } catch (error) {
        faults.push(toFault(error))
        // A fault that is not caused by the host, such as an exhausted pool, would occur on any host.
        if (turn === began || faults.length === hosts.length) throw summaryOf(faults)
      }
    }
  }

  function createPool(max: number, own?: Readonly<Record<string, string>>): Pool {
    const setUpOwn = createSessionSetUp(settings, own)
    const pool = new pg.Pool({
      ...config,
      max,
      Client: HostClient as new () => pg.ClientBase,
      onConnect: (client) => setUp(client as HostClient, setUpOwn) as unknown as undefined,
    })
    pool.on('error', ignore)

    async function acquire(): Promise<pg.PoolClient> {
      for (;;) {
        const client = await pool.connect()
        if (isInUse(client as pg.PoolClient & HostClient)) return client
        // The state of a host that is no longer in use may be outdated.
        client.release(true)
      }
    }

    return {
      acquire: () => tryHosts(acquire),
      discard(client, fault) {
        if (isReadOnlyFault(fault)) giveUp(client as pg.PoolClient & HostClient)
        client.release(true)
      },
      end: () => pool.end(),
    }
  }

  return { connect: () => tryHosts(open), createPool }
}

type OnConnected = ((error: Error) => void) | ((error: null, client: pg.Client) => void)

function summaryOf(faults: readonly Error[]): Error {
  const [fault, ...others] = faults
  if (fault !== undefined && others.length === 0) return fault
  const reasons = faults.map(({ message, cause }) => (cause instanceof Error ? cause.message : message))
  return new StorageUnavailable('No database host is available.', {
    cause: new Error(`${reasons.join('; ')}.`),
  })
}

function ignore(): void {}

const INT8 = pg.types.builtins.INT8

/** 8-byte integers become numbers: stored values are far below 2⁵³. */
const parserOf: typeof pg.types.getTypeParser = (...args: Parameters<typeof pg.types.getTypeParser>) =>
  args[0] === INT8 ? Number : pg.types.getTypeParser(...args)

/** Missing from the driver's types: statements that do not wait for each other's results are sent together. */
const TOGETHER: object = { pipeline: true }

const CONFIG: pg.ClientConfig = {
  ...TOGETHER,
  application_name: 'bugle',
  query_timeout: SILENCE_TIMEOUT_MS,
  keepAlive: true,
  types: { getTypeParser: parserOf },
}
