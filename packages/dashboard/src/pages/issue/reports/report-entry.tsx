import type { Report, TextOmission } from '@bugle/contract'
import { ActionIcon, Menu } from '@mantine/core'
import type { ReplyTo } from '../../../api/issues/comments.ts'
import type { ReportAction } from '../../../api/issues/reports.ts'
import { Icon } from '../../../ui/icons/icons.tsx'
import { ReportText } from '../../../ui/report-text/report-text.tsx'
import { Ago } from '../../../ui/time.tsx'
import { platformName } from '../../../ui/words.ts'
import { ReporterLink } from '../conversation/reporter-link.tsx'
import { nameOf } from '../conversation/reporters.ts'
import { FileStrip } from '../files/file-strip.tsx'
import type { ShownFile } from '../files/shown-file.ts'
import { formatRelease } from '../releases.ts'
import classes from './reports.module.css'

interface ReportEntryProps {
  readonly report: Report
  /** Its number: `2`, or `2 of #13` if it belongs to a duplicate. */
  readonly name: string
  /** What is shown above with the same text, if anything. */
  readonly sameAs: string | null
  readonly onView: (file: ShownFile) => void
  /** Absent for people who may not remove reports. */
  readonly onRemove: ((report: Report, action: ReportAction) => void) | undefined
  /** Absent for people who may not block reporters. */
  readonly onBlock: ((report: Report) => void) | undefined
  /** Absent for people who may not reply. */
  readonly onReply: ((to: ReplyTo) => void) | undefined
}

/** One report: when, where, and what the reporter wrote. */
export function ReportEntry({ report, name, sameAs, onView, ...actions }: ReportEntryProps) {
  const { receivedAt, reporter } = report
  const place = placeOf(report)
  return (
    <li className={classes['entry']}>
      <div className={classes['line']}>
        <p className={classes['about']}>
          <b>Report {name}</b> · <Ago at={receivedAt} />
          {reporter !== null && <By reporter={reporter} />}
          {report.isReporterBlocked && ' · blocked'}
          {place.map((part) => (
            <span key={part}>
              {' '}
              · <bdi>{part}</bdi>
            </span>
          ))}
        </p>
        <EntryMenu report={report} name={name} {...actions} />
      </div>
      <Text report={report} sameAs={sameAs} />
      <FileStrip files={report.attachments} label={`Files of report ${name}`} onView={onView} />
      <Fields title="Context" fields={report.context} />
      <Fields title="Metadata" fields={report.metadata} />
    </li>
  )
}

/** The version, system, device and branch that the report contains. */
function placeOf({ appVersion, buildNumber, osVersion, platform, deviceModel, branch }: Report): string[] {
  const release = appVersion && formatRelease({ appVersion, buildNumber })
  const system = osVersion ?? (platform && platformName(platform))
  return [...new Set([release, system, deviceModel, branch])].flatMap((part) => part || [])
}

const OMISSIONS: Readonly<Record<TextOmission, string>> = {
  limit: 'The text is not kept: the issue has too many different texts.',
  redacted: 'The text was redacted.',
  'not-recorded': 'The text was not recorded: the report is older than this feature.',
}

function Text({ report, sameAs }: Pick<ReportEntryProps, 'report' | 'sameAs'>) {
  const { title, description, textOmittedReason } = report
  if (textOmittedReason !== null) return <p className={classes['none']}>{OMISSIONS[textOmittedReason]}</p>
  if (sameAs !== null) return <p className={classes['none']}>Same text as {sameAs}.</p>
  return (
    <div className={classes['text']}>
      <p className={classes['title']} dir="auto">
        {title}
      </p>
      {description !== null && description.trim() !== '' && <ReportText text={description} />}
    </div>
  )
}

/** Who reported it, with a link to their other reports. */
function By({ reporter }: { readonly reporter: NonNullable<Report['reporter']> }) {
  return (
    <span>
      {' '}
      · by{' '}
      <ReporterLink reporter={reporter}>
        <bdi title={reporter.email ?? undefined}>{nameOf(reporter)}</bdi>
      </ReporterLink>
    </span>
  )
}

interface FieldsProps {
  readonly title: string
  readonly fields: Report['metadata']
}

/** Fields with names chosen by the app, shown on request. */
function Fields({ title, fields }: FieldsProps) {
  if (fields === null || Object.keys(fields).length === 0) return null
  return (
    <details className={classes['metadata']}>
      <summary>{title}</summary>
      <dl>
        {Object.entries(fields).map(([name, value]) => (
          <div key={name}>
            <dt>
              <bdi>{name}</bdi>
            </dt>
            <dd>
              <bdi>{String(value)}</bdi>
            </dd>
          </div>
        ))}
      </dl>
    </details>
  )
}

/** A report with the same text as a redacted one has lost its text, but nothing else. */
function isRedacted({ textOmittedReason, metadata, context, reporter }: Report): boolean {
  return textOmittedReason === 'redacted' && metadata === null && context === null && reporter === null
}

type EntryMenuProps = Pick<ReportEntryProps, 'report' | 'name' | 'onRemove' | 'onBlock' | 'onReply'>

function EntryMenu({ report, name, onRemove, onBlock, onReply }: EntryMenuProps) {
  const { id: reportId, reporterId, isReporterBlocked } = report
  const isFollowed = reporterId !== null && onBlock !== undefined
  if (!isFollowed && onRemove === undefined) return null
  return (
    <Menu position="bottom-end" width={180}>
      <Menu.Target>
        <ActionIcon variant="subtle" color="gray" size="sm" aria-label={`Actions for report ${name}`}>
          <Icon name="more" size={14} />
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown>
        {isFollowed && onReply !== undefined && !isReporterBlocked && (
          <Menu.Item leftSection={<Icon name="send" size={14} />} onClick={() => onReply({ reportId })}>
            Reply to reporter
          </Menu.Item>
        )}
        {isFollowed && (
          <Menu.Item leftSection={<Icon name="person" size={14} />} onClick={() => onBlock(report)}>
            {isReporterBlocked ? 'Unblock reporter…' : 'Block reporter…'}
          </Menu.Item>
        )}
        {onRemove !== undefined && (
          <Menu.Item
            leftSection={<Icon name="close" size={14} />}
            disabled={isRedacted(report)}
            onClick={() => onRemove(report, 'redact')}
          >
            Redact text…
          </Menu.Item>
        )}
        {onRemove !== undefined && report.reportNumber > 1 && (
          <Menu.Item leftSection={<Icon name="trash" size={14} />} onClick={() => onRemove(report, 'delete')}>
            Delete report…
          </Menu.Item>
        )}
      </Menu.Dropdown>
    </Menu>
  )
}
