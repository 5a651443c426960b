import { isIPv6 } from 'node:net'
import type { Config } from '../config.ts'
import { describeDatabaseFault } from '../storage/open-storage.ts'
import { CommandError } from './command.ts'

/** A URL that can be opened on this machine, because a wildcard address cannot. */
export function openableUrl(address: string): string {
  return address.replace('//0.0.0.0:', '//127.0.0.1:').replace('//[::]:', '//localhost:')
}

/** Where people reach a server with these settings. */
export function serverUrl(config: Config): string {
  return config.publicUrl ?? listeningUrl(config)
}

/** Where a server with these settings is reached on this machine. */
export function listeningUrl({ host, port }: Config): string {
  return openableUrl(`http://${isIPv6(host) ? `[${host}]` : host}:${port}`)
}

/** For `catch`: why the server cannot listen, and which setting to change. */
export function failingToListen({ host, port }: Pick<Config, 'host' | 'port'>): (error: unknown) => never {
  return (error) => {
    // The database is opened before the server listens, so its errors have nothing to do with the port.
    if (!(error instanceof Error) || describeDatabaseFault(error) !== undefined) throw error
    const { code = '' } = error as NodeJS.ErrnoException
    const advice = ADVICE[code] ?? 'check BUGLE_HOST and BUGLE_PORT'
    throw new CommandError(`cannot listen on ${host}:${port}: ${error.message}; ${advice}`, {
      cause: error,
    })
  }
}

const ADVICE: Readonly<Record<string, string>> = {
  EADDRINUSE: 'stop the process that uses it, or set BUGLE_PORT to another port',
  EACCES: 'set BUGLE_PORT to another port, 1024 or higher',
  EADDRNOTAVAIL: 'set BUGLE_HOST to an address of this machine',
  ENOTFOUND: 'set BUGLE_HOST to an address of this machine',
}
