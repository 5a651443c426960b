import type { Config } from '../config.ts'
import { describeDatabaseFault } from '../storage/open-storage.ts'
import { CommandError } from './command.ts'

/** An address that can be opened on this machine: the one that stands for all of them can not. */
export function openableUrl(address: string): string {
  return address.replace('//0.0.0.0:', '//127.0.0.1:').replace('//[::]:', '//localhost:')
}

/** For `catch`: why nobody can be served, and which setting to change. */
export function failingToListen({ host, port }: Pick<Config, 'host' | 'port'>): (error: unknown) => never {
  return (error) => {
    // The database is read and written before anybody is served: that it failed has nothing to do with the port.
    if (!(error instanceof Error) || describeDatabaseFault(error) !== undefined) throw error
    const { code = '' } = error as NodeJS.ErrnoException
    const advice = ADVICE[code] ?? 'see BUGLE_HOST and BUGLE_PORT'
    throw new CommandError(`${host}:${port} can not be listened on: ${error.message}; ${advice}`, {
      cause: error,
    })
  }
}

const ADVICE: Readonly<Record<string, string>> = {
  EADDRINUSE: 'stop what uses it, or set BUGLE_PORT to another port',
  EACCES: 'set BUGLE_PORT to another port, from 1024 on',
  EADDRNOTAVAIL: 'set BUGLE_HOST to an address of this machine',
  ENOTFOUND: 'set BUGLE_HOST to an address of this machine',
}
