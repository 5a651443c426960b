import { AUDIT_ACTIONS, type AuditAction } from '@bugle/contract'
import type { AuditLogEntry } from '@bugle/contract/settings'
import { Button, NativeSelect, Skeleton } from '@mantine/core'
import { useInfiniteQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { auditLogQuery, readAuditLog } from '../../api/settings.ts'
import { useProjects } from '../../shell/current-project.ts'
import { explain, Failure } from '../../ui/feedback/failure.tsx'
import { StatePanel } from '../../ui/feedback/state-panel.tsx'
import { showToast } from '../../ui/feedback/toasts.tsx'
import { Page } from '../../ui/page.tsx'
import { Ago } from '../../ui/time.tsx'
import { ACTION_NAMES, FIELD_NAMES } from './audit-words.ts'
import classes from './settings.module.css'

/** Who changed what, newest first. */
export function AuditLogPage() {
  const projects = useProjects()
  const [action, setAction] = useState('')
  const [projectId, setProjectId] = useState('')
  const filters = {
    ...(action !== '' && { action: action as AuditAction }),
    ...(projectId !== '' && { projectId }),
  }
  const { data, error, refetch, hasNextPage, fetchNextPage, isFetchingNextPage } = useInfiniteQuery(
    auditLogQuery(filters),
  )
  const entries = data?.pages.flatMap((page) => page.data)
  return (
    <Page title="Audit log" actions={<ExportButton filters={filters} />}>
      <div className={classes['filters']}>
        <NativeSelect
          label="Action"
          value={action}
          onChange={(event) => setAction(event.currentTarget.value)}
          data={[
            { value: '', label: 'All actions' },
            ...AUDIT_ACTIONS.map((value) => ({ value, label: ACTION_NAMES[value] })),
          ]}
        />
        <NativeSelect
          label="Project"
          value={projectId}
          onChange={(event) => setProjectId(event.currentTarget.value)}
          data={[
            { value: '', label: 'All projects' },
            ...projects.map(({ id, name }) => ({ value: id, label: name })),
          ]}
        />
      </div>
      {entries === undefined && error !== null && <Failure error={error} onRetry={() => void refetch()} />}
      {entries === undefined && error === null && <Skeleton height={240} />}
      {entries?.length === 0 && (
        <StatePanel icon="reports" title="No entries">
          Changes to projects, keys, people and settings appear here.
        </StatePanel>
      )}
      {entries !== undefined && entries.length > 0 && (
        <ul className={classes['list']} aria-label="Entries">
          {entries.map((entry) => (
            <Entry key={entry.id} entry={entry} />
          ))}
        </ul>
      )}
      {hasNextPage && (
        <Button
          variant="default"
          className={classes['more'] ?? ''}
          loading={isFetchingNextPage}
          onClick={() => void fetchNextPage()}
        >
          Show older entries
        </Button>
      )}
    </Page>
  )
}

interface ExportButtonProps {
  readonly filters: Parameters<typeof readAuditLog>[0]
}

/** Saves the entries that match as a file, in the format of `bugle audit export`. */
function ExportButton({ filters }: ExportButtonProps) {
  const [isBusy, setBusy] = useState(false)

  async function save(): Promise<void> {
    setBusy(true)
    try {
      const file = new Blob([await readAuditLog(filters)], { type: 'application/x-ndjson' })
      const link = document.createElement('a')
      link.href = URL.createObjectURL(file)
      link.download = 'audit-log.jsonl'
      link.click()
      URL.revokeObjectURL(link.href)
    } catch (failure) {
      showToast({ tone: 'danger', text: explain(failure) })
    } finally {
      setBusy(false)
    }
  }

  return (
    <Button variant="default" loading={isBusy} onClick={() => void save()}>
      Export
    </Button>
  )
}

function Entry({ entry }: { readonly entry: AuditLogEntry }) {
  const { actor, action, subjectName, subject, projectSlug, at, changes } = entry
  return (
    <li className={classes['row']}>
      <div className={classes['words']}>
        <p>
          <bdi className={classes['name']}>{actor.name ?? actor.id.replace(/^os:/, '')}</bdi>{' '}
          {ACTION_NAMES[action].toLowerCase()}{' '}
          {(subjectName ?? subject) !== null && (
            <bdi className={classes['name']}>{subjectName ?? subject}</bdi>
          )}
        </p>
        {changes.length > 0 && (
          <ul className={classes['changes']}>
            {changes.map(({ field, from, to }) => (
              <li key={field}>
                {FIELD_NAMES[field] ?? field}: <bdi>{wordsOf(from)}</bdi>
                {from !== null && (
                  <>
                    {' → '}
                    <bdi>{wordsOf(to)}</bdi>
                  </>
                )}
                {from === null && to !== null && <bdi>{wordsOf(to)}</bdi>}
              </li>
            ))}
          </ul>
        )}
      </div>
      <p className={classes['hint']}>
        {actor.kind === 'os' && 'command line · '}
        {actor.kind === 'key' && 'key · '}
        {projectSlug !== null && `${projectSlug} · `}
        <Ago at={at} />
      </p>
    </li>
  )
}

function wordsOf(value: string | number | boolean | null): string {
  if (value === null) return ''
  if (typeof value === 'boolean') return value ? 'yes' : 'no'
  return value === '' ? 'none' : String(value)
}
