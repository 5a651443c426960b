import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { SOURCE_EXTENSION } from '../../../start-thread.ts'
import type { BackupOrder } from '../../backups/make-backup.ts'
import { BackupFailed, type MadeBackup } from '../../ports/backups.ts'

type Outcome = { readonly made: MadeBackup } | { readonly fault: string }

export interface RunningBackup {
  readonly made: Promise<MadeBackup>
  /** Resolves when the process has ended. */
  abort(): Promise<void>
}

/**
 * Makes a backup in a process of its own, which lowers its priority: recounting a database and reading its files keep a processor busy for
 * minutes, and the process can be ended at any moment.
 */
export function startBackup(order: BackupOrder): RunningBackup {
  const file = join(import.meta.dirname, `backup-process${SOURCE_EXTENSION}`)
  const child = fork(file, {
    execArgv: [],
    serialization: 'advanced',
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  })
  const ended = once(child, 'exit')
  child.send(order)
  return {
    made: outcomeOf(child, ended),
    async abort() {
      child.kill('SIGKILL')
      await Promise.allSettled([ended])
    },
  }
}

async function outcomeOf(child: ChildProcess, ended: Promise<unknown>): Promise<MadeBackup> {
  const settled = Promise.race([once(child, 'message'), ended.then(() => [])]).catch((error: Error) => {
    throw new BackupFailed(`The process that makes the backup cannot be started: ${error.message}`)
  })
  const [outcome] = (await settled) as [Outcome?]
  if (outcome === undefined) throw new BackupFailed('The process that made the backup was ended.')
  if ('fault' in outcome) throw new BackupFailed(outcome.fault)
  return outcome.made
}
