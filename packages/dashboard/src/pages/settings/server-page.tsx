import type { LatestBackup, ServerStatus } from '@bugle/contract/settings'
import { Button, Skeleton } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { serverStatusQuery } from '../../api/settings.ts'
import { useProjects } from '../../shell/current-project.ts'
import { formatBytes } from '../../ui/bytes.ts'
import { Card } from '../../ui/card.tsx'
import { Failure } from '../../ui/feedback/failure.tsx'
import { Page } from '../../ui/page.tsx'
import { Ago } from '../../ui/time.tsx'
import classes from './settings.module.css'

const DATABASES = { sqlite: 'SQLite', postgres: 'PostgreSQL' } as const
const VERDICTS = { ok: 'OK', warning: 'Warning', problem: 'Problem' } as const

/** The state of the server: release, sizes, what the doctor finds, and what was refused. */
export function ServerPage() {
  const { data: status, error, refetch, isFetching } = useQuery(serverStatusQuery)
  return (
    <Page
      title="Server"
      actions={
        <Button variant="default" loading={isFetching} onClick={() => void refetch()}>
          Check again
        </Button>
      }
    >
      {status === undefined && error !== null && <Failure error={error} onRetry={() => void refetch()} />}
      {status === undefined && error === null && <Skeleton height={240} />}
      {status !== undefined && (
        <div className={classes['cards']}>
          <FactsCard status={status} />
          <FindingsCard status={status} />
          <RefusedCard status={status} />
        </div>
      )}
    </Page>
  )
}

/** A name and its value. */
type Fact = readonly [name: string, value: ReactNode]

function FactsCard({ status }: { readonly status: ServerStatus }) {
  const { version, database, attachmentBytes, nodes } = status
  const facts: readonly Fact[] = [
    ['Bugle', version],
    ['Database', `${DATABASES[database.kind]}, ${sizeOf(database.bytes)}`],
    ['Files of reports', sizeOf(attachmentBytes)],
    ['Last backup', <LastBackup key="backup" status={status} />],
    ...scheduleFacts(status),
    ['Connected servers', nodes === 1 ? 'only this one' : `${nodes}, this one included`],
  ]
  return (
    <Card title="This server">
      <ul className={classes['list']} aria-label="Facts">
        {facts.map(([name, value]) => (
          <li key={name} className={classes['row']}>
            <span className={classes['name']}>{name}</span>
            <span className={classes['value']}>{value}</span>
          </li>
        ))}
      </ul>
    </Card>
  )
}

/** PostgreSQL is backed up with its own tools, which leave no record here. */
function LastBackup({ status: { lastBackup, database } }: { readonly status: ServerStatus }) {
  if (lastBackup !== null) {
    return (
      <>
        <Ago at={lastBackup.at} />{' '}
        {lastBackup.by === null ? (
          '(scheduled)'
        ) : (
          <>
            by <bdi>{lastBackup.by}</bdi>
          </>
        )}
      </>
    )
  }
  return database.kind === 'sqlite' ? 'none recorded' : 'not known: made with pg_dump'
}

/** The backups that the server makes by itself. */
function scheduleFacts({ scheduledBackups, database }: ServerStatus): readonly Fact[] {
  if (scheduledBackups === null) {
    const isOff = database.kind === 'sqlite'
    return isOff ? [['Scheduled backups', 'off: BUGLE_BACKUP_URL is not set']] : []
  }
  const { latest, place, everyHours, fault } = scheduledBackups
  const period = everyHours === 1 ? 'every hour' : `every ${everyHours} hours`
  return [
    ['Scheduled backups', <ScheduledBackups key="schedule" period={period} place={place} />],
    ['Newest scheduled backup', latest === null ? 'none yet' : <NewestBackup key="newest" latest={latest} />],
    ...(fault === null ? [] : [['Last attempt', `failed: ${fault}`] as const]),
  ]
}

function ScheduledBackups({ period, place }: { readonly period: string; readonly place: string }) {
  return (
    <>
      {period}, in <bdi>{place}</bdi>
    </>
  )
}

function NewestBackup({ latest: { at, bytes, isWhole } }: { readonly latest: LatestBackup }) {
  return (
    <>
      <Ago at={at} />, {sizeOf(bytes)}
      {!isWhole && ', without files that are missing or damaged'}
    </>
  )
}

/** Sizes include security issues, so not everyone sees them. */
function sizeOf(bytes: number | null): string {
  return bytes === null ? 'size not shown' : formatBytes(bytes)
}

function FindingsCard({ status: { findings } }: { readonly status: ServerStatus }) {
  const hint = 'The quick checks of the doctor. "npx bugle doctor" on the server checks everything.'
  return (
    <Card title="Checks" hint={hint}>
      <ul className={classes['list']} aria-label="Checks">
        {findings.map(({ check, verdict, found, advice }) => (
          <li key={`${check} ${found}`} className={classes['row']}>
            <div className={classes['words']}>
              <p>
                <span className={classes['name']}>{VERDICTS[verdict]}</span> · {check}: <bdi>{found}</bdi>
              </p>
              {advice !== null && <p className={classes['hint']}>{advice}</p>}
            </div>
          </li>
        ))}
      </ul>
    </Card>
  )
}

function RefusedCard({ status: { refused } }: { readonly status: ServerStatus }) {
  const projects = useProjects()
  const nameOf = (projectId: string) => projects.find(({ id }) => id === projectId)?.name ?? projectId
  return (
    <Card
      title="Refused submissions"
      hint="Reports with a valid key that were not stored, by project, key and error."
    >
      {refused.length === 0 && <p className={classes['hint']}>None.</p>}
      {refused.length > 0 && (
        <ul className={classes['list']} aria-label="Refused submissions">
          {refused.map(({ projectId, keyId, keyName, code, count }) => (
            <li key={`${projectId} ${keyId} ${code}`} className={classes['row']}>
              <div className={classes['words']}>
                <p>
                  <bdi className={classes['name']}>{nameOf(projectId)}</bdi>
                  {keyId !== null && (
                    <>
                      {' · '}
                      <bdi>{keyName ?? keyId}</bdi>
                    </>
                  )}
                </p>
                <p className={classes['code']}>
                  <a href={`/problems/${code}`} target="_blank" rel="noreferrer">
                    {code}
                  </a>
                </p>
              </div>
              <span>{count.toLocaleString('en')}</span>
            </li>
          ))}
        </ul>
      )}
    </Card>
  )
}
