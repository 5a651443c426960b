import type { Operation } from '../operations.ts'
import { removeDeletedRows } from './deleted-issues.ts'
import { expireSomeDeliveries, redeliver } from './deliveries.ts'
import { expireSomeEvents } from './events.ts'
import { createKey, recordKeyUses, revokeKey } from './keys.ts'
import { acceptFirstLink, acceptLink, createLink, expireLinks } from './links.ts'
import { createProject, deleteProject, saveSdkSettings, updateProject } from './projects.ts'
import { claimDue, fanOut, recordAttempt } from './send-deliveries.ts'
import { createSignIn, endSignIn, endSignIns, expireSignIns, recordSignInUses } from './sign-ins.ts'
import { listPeriod, readCounters } from './stats.ts'
import { createUser, deleteUser, setPassword, updateUser } from './users.ts'
import { createView, deleteView } from './views.ts'
import { changeWebhook, createWebhook, deleteWebhook, rotateWebhookSecret } from './webhooks.ts'

/** Operations by name: a call of one crosses to a thread of SQLite by its name. */
export type OperationList = Readonly<Record<string, (...args: never[]) => Operation<unknown>>>

/** Every operation that writes. */
export const WRITES = {
  acceptFirstLink,
  acceptLink,
  changeWebhook,
  claimDue,
  createKey,
  createLink,
  createProject,
  createSignIn,
  createUser,
  createView,
  createWebhook,
  deleteProject,
  deleteUser,
  deleteView,
  deleteWebhook,
  endSignIn,
  endSignIns,
  expireLinks,
  expireSignIns,
  expireSomeDeliveries,
  expireSomeEvents,
  fanOut,
  recordAttempt,
  recordKeyUses,
  recordSignInUses,
  redeliver,
  removeDeletedRows,
  revokeKey,
  rotateWebhookSecret,
  saveSdkSettings,
  setPassword,
  updateProject,
  updateUser,
} as const satisfies OperationList

/** Every operation that may read for long. */
export const LONG_READS = { listPeriod, readCounters } as const satisfies OperationList

const NAMES = new Map<unknown, string>(
  [...Object.entries(WRITES), ...Object.entries(LONG_READS)].map(([name, operation]) => [operation, name]),
)

export function nameOfOperation(operation: { readonly name: string }): string {
  const name = NAMES.get(operation)
  if (name === undefined) throw new TypeError(`${operation.name} is missing in in-threads.ts`)
  return name
}
