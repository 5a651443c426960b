import type { Operation } from '../operations.ts'
import { expireSomeDeliveries, redeliver } from './deliveries.ts'
import { createKey, recordKeyUses, revokeKey } from './keys.ts'
import { acceptFirstLink, acceptLink, createLink, expireLinks } from './links.ts'
import { createProject, saveSdkSettings, updateProject } from './projects.ts'
import { claimDue, fanOut, recordAttempt } from './send-deliveries.ts'
import { createSignIn, endSignIn, endSignIns, expireSignIns, recordSignInUses } from './sign-ins.ts'
import { createUser, deleteUser, setPassword, updateUser } from './users.ts'
import { createView, deleteView } from './views.ts'
import { changeWebhook, createWebhook, deleteWebhook, rotateWebhookSecret } from './webhooks.ts'

/** Every operation that writes: a call of one crosses to the thread that writes SQLite by its name in this list. */
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
  deleteUser,
  deleteView,
  deleteWebhook,
  endSignIn,
  endSignIns,
  expireLinks,
  expireSignIns,
  expireSomeDeliveries,
  fanOut,
  recordAttempt,
  recordKeyUses,
  recordSignInUses,
  redeliver,
  revokeKey,
  rotateWebhookSecret,
  saveSdkSettings,
  setPassword,
  updateProject,
  updateUser,
} as const satisfies Readonly<Record<string, (...args: never[]) => Operation<unknown>>>

const NAMES = new Map<unknown, keyof typeof WRITES>(
  Object.entries(WRITES).map(([name, operation]) => [operation, name as keyof typeof WRITES]),
)

export function nameOfWrite(operation: { readonly name: string }): keyof typeof WRITES {
  const name = NAMES.get(operation)
  if (name === undefined) throw new TypeError(`${operation.name} is missing in the list of writes`)
  return name
}
