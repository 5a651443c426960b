import type { Issue } from '@bugle/contract'
import type { ReactNode } from 'react'
import { useProject } from '../../shell/current-project.ts'
import { formatMoment } from '../../ui/time.tsx'
import { formatCount, platformName } from '../../ui/words.ts'
import { formatReporters, identityOf, ReporterLink } from './conversation/reporter-link.tsx'
import classes from './issue-facts.module.css'
import { formatRelease } from './releases.ts'

/** The origin of the report and other details. */
export function IssueFacts({ issue }: { readonly issue: Issue }) {
  const { sdk, platform } = issue
  const { defaultBranch } = useProject()
  // With a single report, it would repeat the version above.
  const isRepeated = issue.reportCount > 1
  const seen: FactsProps['facts'] = [
    ['First version', isRepeated ? issue.firstSeenIn && formatRelease(issue.firstSeenIn) : null],
    ['Last version', isRepeated ? issue.lastSeenIn && formatRelease(issue.lastSeenIn) : null],
    ['Default branch', describeBranch(issue.onDefaultBranch, defaultBranch)],
  ]
  return (
    <aside className={classes['facts']} aria-label="Details">
      <Facts
        title={issue.reportCount > 1 ? 'First reported from' : 'Reported from'}
        empty="Not specified."
        facts={[
          ['Version', issue.appVersion],
          ['Build', issue.buildNumber],
          ['Platform', platform && platformName(platform)],
          ['OS', issue.osVersion],
          ['Device', issue.deviceModel],
          ['Branch', issue.branch],
        ]}
      />
      {issue.reporter !== null && (
        <Facts
          title={issue.reportCount > 1 ? 'First reported by' : 'Reported by'}
          facts={[
            ['Name', issue.reporter.name],
            ['Email', issue.reporter.email],
            ['User ID', issue.reporter.id],
            [
              'See also',
              identityOf(issue.reporter) && (
                <ReporterLink reporter={issue.reporter}>Other reports</ReporterLink>
              ),
            ],
          ]}
        />
      )}
      <FieldFacts title="Context" fields={issue.context} />
      {seen.some(([, value]) => value !== null) && <Facts title="Seen in" facts={seen} />}
      <Facts
        title="When"
        facts={[
          ['Reported', moment(issue.createdAt)],
          ['Occurred', issue.occurredAt && moment(issue.occurredAt)],
          ['Last report', issue.reportCount > 1 ? moment(issue.lastReportedAt) : null],
          ['Updated', issue.version > 1 ? moment(issue.updatedAt) : null],
          ['Reports', formatCount(issue.reportCount)],
          ['Reporters', issue.reporterCount ? formatReporters(issue.reporterCount) : null],
        ]}
      />
      <FieldFacts title="Metadata" fields={issue.metadata} />
      <Facts
        title="Origin"
        facts={[
          ['SDK', sdk && `${sdk.name} ${sdk.version}`],
          ['Fingerprint', issue.fingerprint],
          ['Submission ID', issue.submissionId],
          ['ID', issue.id],
        ]}
      />
    </aside>
  )
}

/** Fields with names chosen by the app. */
function FieldFacts({ title, fields }: { readonly title: string; readonly fields: Issue['metadata'] }) {
  const facts = Object.entries(fields ?? {}).map(([name, value]) => [name, String(value)] as const)
  return facts.length === 0 ? null : <Facts title={title} facts={facts} />
}

interface FactsProps {
  readonly title: string
  readonly facts: readonly (readonly [name: string, value: ReactNode])[]
  /** The text if there are none. */
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

function describeBranch(isSeen: boolean | null, defaultBranch: string): ReactNode {
  if (isSeen === null) return null
  return isSeen ? (
    <>
      Seen on <bdi>{defaultBranch}</bdi>
    </>
  ) : (
    'Only seen on other branches'
  )
}

function moment(at: string): ReactNode {
  return <time dateTime={at}>{formatMoment(at)}</time>
}
