import type { Issue } from '@bugle/contract'
import type { ReactNode } from 'react'
import { formatMoment } from '../../ui/time.tsx'
import { formatCount, platformName } from '../../ui/words.ts'
import classes from './issue-facts.module.css'

/** What the report said about where it comes from, and what else is known. */
export function IssueFacts({ issue }: { readonly issue: Issue }) {
  const { sdk, metadata, platform } = issue
  return (
    <aside className={classes['facts']} aria-label="Details">
      <Facts
        title={issue.reportCount > 1 ? 'First reported from' : 'Reported from'}
        empty="Not specified."
        facts={[
          ['Version', issue.appVersion],
          ['Build', issue.buildNumber],
          ['Platform', platform && platformName(platform)],
          ['System', issue.osVersion],
          ['Device', issue.deviceModel],
          ['Branch', issue.branch],
        ]}
      />
      <Facts
        title="When"
        facts={[
          ['Reported', moment(issue.createdAt)],
          ['Happened', issue.occurredAt && moment(issue.occurredAt)],
          ['Last report', issue.reportCount > 1 ? moment(issue.lastReportedAt) : null],
          ['Changed', issue.version > 1 ? moment(issue.updatedAt) : null],
          ['Reports', formatCount(issue.reportCount)],
        ]}
      />
      {metadata !== null && Object.keys(metadata).length > 0 && (
        <Facts
          title="Metadata"
          facts={Object.entries(metadata).map(([name, value]) => [name, String(value)])}
        />
      )}
      <Facts
        title="Origin"
        facts={[
          ['SDK', sdk && `${sdk.name} ${sdk.version}`],
          ['Fingerprint', issue.fingerprint],
          ['Submission', issue.submissionId],
          ['ID', issue.id],
        ]}
      />
    </aside>
  )
}

interface FactsProps {
  readonly title: string
  readonly facts: readonly (readonly [name: string, value: ReactNode])[]
  /** What to say if there are none. */
  readonly empty?: string
}

function Facts({ title, facts, empty }: FactsProps) {
  const known = facts.filter(([, value]) => value !== null)
  return (
    <section>
      <h2 className={classes['title']}>{title}</h2>
      {known.length === 0 && <p className={classes['empty']}>{empty}</p>}
      <dl className={classes['list']}>
        {known.map(([name, value]) => (
          <div key={name} className={classes['fact']}>
            <dt>
              <bdi>{name}</bdi>
            </dt>
            <dd>
              <bdi>{value}</bdi>
            </dd>
          </div>
        ))}
      </dl>
    </section>
  )
}

function moment(at: string): ReactNode {
  return <time dateTime={at}>{formatMoment(at)}</time>
}
