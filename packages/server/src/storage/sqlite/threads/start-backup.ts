import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { constants, setPriority } from 'node:os'
import { join } from 'node:path'
import { SOURCE_EXTENSION } from '../../../start-thread.ts'
import type { BackupOrder } from '../../backups/make-backup.ts'
import type { MadeBackup } from '../../ports/backups.ts'

type Outcome = { readonly made: MadeBackup } | { readonly fault: string }

export interface RunningBackup {
  readonly made: Promise<MadeBackup>
  /** Resolves when the process has ended. */
  abort(): Promise<void>
}

/**
 * Makes a backup in a process of its own, with low priority: recounting a database and reading its files keep a processor busy for
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
  if (child.pid !== undefined) setPriority(child.pid, constants.priority.PRIORITY_BELOW_NORMAL)
  child.send(order)
  return {
    made: outcomeOf(child, ended),
    async abort() {
      child.kill('SIGKILL')
      await ended
    },
  }
}

async function outcomeOf(child: ChildProcess, ended: Promise<unknown>): Promise<MadeBackup> {
  const [outcome] = (await Promise.race([once(child, 'message'), ended.then(() => [])])) as [Outcome?]
  if (outcome === undefined) throw new Error('The process that made the backup was ended.')
  if ('fault' in outcome) throw new Error(outcome.fault)
  return outcome.made
}
