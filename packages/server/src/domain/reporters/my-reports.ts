import { hash } from 'node:crypto'
import {
  type Access,
  endpoints,
  MAX_MY_REPORTS,
  MAX_REPORT_MESSAGES,
  MAX_SHOWN_MESSAGES,
  type Message,
  type MessageCreation,
  type MessageList,
  type MyReport,
  type MyReportList,
  REPORTER_HEADER,
} from '@bugle/contract'
import type { Clock } from '../../clock.ts'
import type { CommentRecord } from '../../model/comments/comments.ts'
import { isId } from '../../model/ids.ts'
import {
  type MyReportPlace,
  type MyReportRecord,
  messageIdOf,
  type ReporterKey,
} from '../../model/reports/my-reports.ts'
import type { Storage } from '../../storage/storage.ts'
import type { Caller } from '../access/access.ts'
import { requireKeyOfProject } from '../access/submitters.ts'
import { fitting } from '../cursor-pages.ts'
import { DomainError, notFound } from '../domain-error.ts'
import { isoTime } from '../iso-time.ts'
import type { Catalog } from '../projects/catalog.ts'
import type { PollBasis } from './poll-tags.ts'

/** What reporters see of their own reports. Nothing in it depends on other reporters, or on what the team keeps to itself. */
export interface MyReports {
  /** Who asks; fails unless the key belongs to a project. A secret that no report was submitted with is not an error. */
  requireReporter(caller: Caller, secret: string | undefined): Promise<ReporterKey>
  listReports(reporter: ReporterKey): Promise<ListedReports>
  listMessages(reporter: ReporterKey, reportId: string): Promise<MessageList>
  sendMessage(
    reporter: ReporterKey,
    reportId: string,
    message: MessageCreation,
  ): Promise<{ readonly message: Message; readonly isReplayed: boolean }>
  markRead(reporter: ReporterKey, reportId: string, messageId: string): Promise<void>
}

interface ListedReports {
  readonly list: MyReportList
  readonly basis: PollBasis
}

interface Dependencies {
  readonly storage: Pick<Storage, 'myReports'>
  readonly catalog: Catalog
  readonly clock: Clock
}

export function createMyReports({ storage, catalog, clock }: Dependencies): MyReports {
  const { myReports } = storage
  // The same for all operations on own reports.
  const { access }: { readonly access: Access } = endpoints.listMyReports

  return {
    async requireReporter(caller, secret) {
      const { project } = await requireKeyOfProject(caller, access, catalog)
      if (secret === undefined || secret === '') throw secretRequired()
      return { projectId: project.id, keyHash: hash('sha256', secret, 'hex') }
    },

    async listReports(reporter) {
      const { reports, ...basis } = await myReports.list(reporter, MAX_MY_REPORTS)
      return { list: { data: reports.map(showMyReport) }, basis }
    },

    async listMessages(reporter, reportId) {
      const found = await myReports.listMessages(placeOf(reporter, reportId), MAX_SHOWN_MESSAGES + 1)
      if (found === undefined) throw notFound()
      const shown = fitting(found.slice(0, MAX_SHOWN_MESSAGES), ({ text }) => text.length)
      return { data: shown.map(showMessage).reverse(), hasEarlier: shown.length < found.length }
    },

    async sendMessage(reporter, reportId, { messageId, text }) {
      const place = placeOf(reporter, reportId)
      const outcome = await myReports.sendMessage({ ...place, messageId, text, at: clock() })
      if (outcome.kind === 'missing') throw notFound()
      if (outcome.kind === 'conflict') {
        throw new DomainError('message-conflict', {
          detail: 'Another message about this report has this messageId. Choose a new one for a new message.',
        })
      }
      if (outcome.kind === 'too-many') {
        throw new DomainError('limit-reached', {
          detail: `You can send at most ${MAX_REPORT_MESSAGES} messages about a report.`,
        })
      }
      return { message: showMessage(outcome.message), isReplayed: outcome.kind === 'replayed' }
    },

    async markRead(reporter, reportId, messageId) {
      const isFound = await myReports.markRead(placeOf(reporter, reportId), messageId)
      if (!isFound) throw notFound()
    },
  }
}

function placeOf(reporter: ReporterKey, reportId: string): MyReportPlace {
  if (!isId('rep', reportId)) throw notFound()
  return { ...reporter, reportId }
}

function showMyReport(report: MyReportRecord): MyReport {
  const { id, title, status, receivedAt, fixedIn, replyCount, unreadCount, lastReplyAt } = report
  return {
    id,
    title,
    status,
    receivedAt: isoTime(receivedAt),
    fixedIn,
    replyCount,
    unreadCount,
    lastReplyAt: lastReplyAt === null ? null : isoTime(lastReplyAt),
  }
}

/** People of the team are not named. */
function showMessage({ id, audience, text, createdAt, editedAt }: CommentRecord): Message {
  const isOwn = audience === 'team'
  return {
    id: isOwn ? messageIdOf(id) : id,
    from: isOwn ? 'reporter' : 'team',
    text,
    createdAt: isoTime(createdAt),
    editedAt: editedAt === null ? null : isoTime(editedAt),
  }
}

function secretRequired(): DomainError {
  return new DomainError('invalid-parameter', {
    detail: `Send the secret of the reporter in the header ${REPORTER_HEADER}.`,
    faults: [
      {
        parameter: REPORTER_HEADER,
        code: 'required',
        detail: `${REPORTER_HEADER} must be the secret of a reporter.`,
      },
    ],
  })
}
