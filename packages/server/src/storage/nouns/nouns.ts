import type { ProjectId } from '../../model/ids.ts'
import type { Operation, Operations } from '../operations.ts'
import type { EventStorage } from '../ports/issues.ts'
import type { Storage } from '../storage.ts'
import { type Acting, addEntry, auditStorage, expireSomeEntries } from './audit-log.ts'
import { attachmentStorage, receiveAttachment } from './issues/attachments.ts'
import { changeComment, commentStorage, createComment, deleteComment } from './issues/comments.ts'
import { removeDeletedRows } from './issues/deleted-issues.ts'
import { eventStorage, expireSomeEvents } from './issues/events.ts'
import { forgetRemovedFiles, giveUpFile, noteDamage, releaseFiles } from './issues/files.ts'
import { createLabel, deleteLabel, finishDeletedLabel, labelStorage, updateLabel } from './issues/labels.ts'
import { releaseOmittedFiles } from './issues/omitted-files.ts'
import {
  accessTokenStorage,
  createAccessToken,
  recordTokenUses,
  revokeAccessToken,
} from './people/access-tokens.ts'
import { createKey, keyStorage, recordKeyUses, revokeKey, updateKey } from './people/keys.ts'
import { acceptFirstLink, acceptLink, createLink, expireLinks, linkStorage } from './people/links.ts'
import {
  createSignIn,
  endSignIn,
  endSignIns,
  expireSignIns,
  recordSignInUses,
  signInStorage,
} from './people/sign-ins.ts'
import {
  createUser,
  deleteUser,
  finishUnassignment,
  setPassword,
  updateUser,
  userStorage,
} from './people/users.ts'
import { createView, deleteSharedView, deleteView, updateView, viewStorage } from './people/views.ts'
import {
  createProject,
  deleteProject,
  projectStorage,
  removeDeletedProject,
  saveSdkSettings,
  updateProject,
} from './projects.ts'
import { setReporterBlocked } from './reporters/blocked-reporters.ts'
import { forgetReporter } from './reporters/forget-reporter.ts'
import { knownIssueStorage, searchKnownIssues } from './reporters/known-issues.ts'
import { markRead, myReportStorage, sendMessage } from './reporters/my-reports.ts'
import {
  blockSenders,
  expireBlockedSenders,
  expireSenderKeys,
  requireSenderKey,
  senderStorage,
  unblockSenders,
} from './reporters/senders.ts'
import { keepSdkBuild, sdkBuildStorage } from './sdk-builds.ts'
import { listSeenValues, seenStorage } from './statistics/seen-values.ts'
import { countPeriod, readCounters, readStatistics, statsStorage } from './statistics/stats.ts'
import { countVersions } from './statistics/version-stats.ts'
import { deliveryStorage, expireSomeDeliveries, redeliver } from './webhooks/deliveries.ts'
import { claimDue, fanOut, recordAttempt } from './webhooks/send-deliveries.ts'
import {
  changeWebhook,
  createWebhook,
  deleteWebhook,
  rotateWebhookSecret,
  webhookStorage,
} from './webhooks/webhooks.ts'

/** How listeners are notified of a project's events. */
export interface News {
  announce(projectId: ProjectId): void
  readonly subscribe: EventStorage['subscribe']
}

/** EVERY NOUN that is written once for both databases. */
export function nounStorage(
  operations: Operations,
  { announce, subscribe }: News,
  acting: Acting = () => null,
) {
  return {
    projects: projectStorage(operations, acting),
    keys: keyStorage(operations, acting),
    labels: labelStorage(operations, acting),
    events: eventStorage(operations, subscribe),
    attachments: attachmentStorage(operations, announce),
    comments: commentStorage(operations, announce),
    senders: senderStorage(operations, announce),
    myReports: myReportStorage(operations, announce),
    knownIssues: knownIssueStorage(operations),
    webhooks: webhookStorage(operations, announce, acting),
    deliveries: deliveryStorage(operations, announce),
    stats: statsStorage(operations),
    seenValues: seenStorage(operations),
    users: { ...userStorage(operations, acting), ...linkStorage(operations, acting) },
    signIns: signInStorage(operations),
    accessTokens: accessTokenStorage(operations, acting),
    views: viewStorage(operations),
    auditLog: auditStorage(operations, acting),
    sdkBuilds: sdkBuildStorage(operations),
  } satisfies Partial<Storage>
}

/** Operations by name: a call is sent to a SQLite thread by its name. */
export type OperationList = Readonly<Record<string, (...args: never[]) => Operation<unknown>>>

/** Every operation that writes. */
export const WRITES = {
  acceptFirstLink,
  acceptLink,
  addEntry,
  blockSenders,
  changeComment,
  changeWebhook,
  claimDue,
  createAccessToken,
  createComment,
  createKey,
  createLabel,
  createLink,
  createProject,
  createSignIn,
  createUser,
  createView,
  createWebhook,
  deleteComment,
  deleteLabel,
  deleteProject,
  deleteSharedView,
  deleteUser,
  deleteView,
  deleteWebhook,
  endSignIn,
  endSignIns,
  expireBlockedSenders,
  expireLinks,
  expireSenderKeys,
  expireSignIns,
  expireSomeDeliveries,
  expireSomeEntries,
  expireSomeEvents,
  fanOut,
  finishDeletedLabel,
  finishUnassignment,
  forgetRemovedFiles,
  keepSdkBuild,
  markRead,
  noteDamage,
  forgetReporter,
  receiveAttachment,
  recordAttempt,
  recordKeyUses,
  recordSignInUses,
  recordTokenUses,
  redeliver,
  giveUpFile,
  releaseFiles,
  releaseOmittedFiles,
  removeDeletedProject,
  removeDeletedRows,
  requireSenderKey,
  revokeAccessToken,
  revokeKey,
  rotateWebhookSecret,
  saveSdkSettings,
  sendMessage,
  setReporterBlocked,
  setPassword,
  unblockSenders,
  updateKey,
  updateLabel,
  updateProject,
  updateUser,
  updateView,
} as const satisfies OperationList

/** Every operation that may read for long. */
export const LONG_READS = {
  countPeriod,
  countVersions,
  listSeenValues,
  readCounters,
  readStatistics,
  searchKnownIssues,
} as const satisfies OperationList

const NAMES = new Map<unknown, string>(
  [...Object.entries(WRITES), ...Object.entries(LONG_READS)].map(([name, operation]) => [operation, name]),
)

export function nameOfOperation(operation: { readonly name: string }): string {
  const name = NAMES.get(operation)
  if (name === undefined) throw new TypeError(`${operation.name} is missing in nouns.ts`)
  return name
}
