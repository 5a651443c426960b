import type { CreatedKey, KeySettings, ProjectSettings } from '@bugle/contract/settings'
import { Button, Skeleton } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { keySettingsQuery, useSettings } from '../../../api/settings.ts'
import { Card } from '../../../ui/card.tsx'
import { CopyButton } from '../../../ui/clipboard/copy-button.tsx'
import { InlineFailure } from '../../../ui/feedback/inline-failure.tsx'
import { Ago } from '../../../ui/time.tsx'
import { ChangeDialog } from '../change-dialog.tsx'
import { SecretOnce } from '../secret-once.tsx'
import classes from '../settings.module.css'
import { EditKeyDialog, NewKeyDialog } from './key-dialogs.tsx'

interface KeysCardProps {
  /** `null`: the keys for all projects. */
  readonly project: ProjectSettings | null
}

/** The keys of a project, or those for all projects. */
export function KeysCard({ project }: KeysCardProps) {
  const { data: keys, error, refetch } = useQuery(keySettingsQuery(project?.id ?? null))
  const [isCreating, setCreating] = useState(false)
  const [created, setCreated] = useState<CreatedKey>()
  return (
    <Card
      title="Keys"
      hint={
        project === null
          ? 'Secret keys that work in every project, for scripts. They cannot submit reports.'
          : 'A public key is safe in apps and pages. A secret key is for scripts and has scopes.'
      }
      actions={
        <Button variant="default" onClick={() => setCreating(true)}>
          New key
        </Button>
      }
    >
      {keys === undefined && error !== null && <InlineFailure error={error} onRetry={() => void refetch()} />}
      {keys === undefined && error === null && <Skeleton height={64} />}
      {keys?.length === 0 && <p className={classes['hint']}>No keys yet.</p>}
      {keys !== undefined && keys.length > 0 && (
        <ul className={classes['list']}>
          {keys.map((key) => (
            <KeyRow key={key.id} shown={key} />
          ))}
        </ul>
      )}
      {isCreating && (
        <NewKeyDialog
          project={project}
          onCreated={(key) => {
            setCreating(false)
            setCreated(key)
          }}
          onClose={() => setCreating(false)}
        />
      )}
      {created !== undefined && (
        <SecretOnce
          title={created.kind === 'secret' ? 'Copy your secret key now' : 'The key was created'}
          what="the key"
          secret={created.token}
          onClose={() => setCreated(undefined)}
        >
          {created.kind === 'secret'
            ? 'It is shown only once, and cannot be recovered. Keep it where others cannot read it.'
            : 'It is not a secret: apps and pages contain it, and it is shown in this list.'}
        </SecretOnce>
      )}
    </Card>
  )
}

function KeyRow({ shown: key }: { readonly shown: KeySettings }) {
  const { revokeKey } = useSettings()
  const [open, setOpen] = useState<'edit' | 'revoke'>()
  const name = key.name ?? 'Unnamed'
  const isRevoked = key.revokedAt !== null
  const close = () => setOpen(undefined)
  return (
    <li className={classes['row']} data-revoked={isRevoked || undefined}>
      <div className={classes['words']}>
        <h3 className={classes['name']}>
          <bdi>{name}</bdi>
        </h3>
        <p className={classes['code']}>{key.token ?? `bgl_sec_…${key.ending}`}</p>
        {!isRevoked && <Dsn shown={key} />}
        <p className={classes['hint']}>
          {key.kind === 'secret' ? key.scopes.join(', ') : key.origins.join(', ') || 'Any origin'} ·{' '}
          <State shown={key} />
        </p>
      </div>
      <div className={classes['actions']}>
        {key.token !== null && !isRevoked && <CopyButton text={key.token} what={`the key ${name}`} />}
        {!isRevoked && (
          <>
            <Button
              size="compact-sm"
              variant="default"
              aria-label={`Edit ${name}`}
              onClick={() => setOpen('edit')}
            >
              Edit
            </Button>
            <Button
              size="compact-sm"
              variant="default"
              aria-label={`Revoke ${name}`}
              onClick={() => setOpen('revoke')}
            >
              Revoke
            </Button>
          </>
        )}
      </div>
      {open === 'edit' && <EditKeyDialog shown={key} onClose={close} />}
      {open === 'revoke' && (
        <ChangeDialog
          title={`Revoke ${name}?`}
          action="Revoke"
          isDangerous
          onSubmit={() => revokeKey(key.id)}
          onClose={close}
        >
          <p>Whatever uses this key stops working within a second. This cannot be undone.</p>
        </ChangeDialog>
      )}
    </li>
  )
}

/** What Sentry's SDKs report with. */
function Dsn({ shown: { name, token, projectNumber } }: { readonly shown: KeySettings }) {
  if (token === null || projectNumber === null) return null
  const dsn = `${location.protocol}//${token}@${location.host}/${projectNumber}`
  return (
    <p className={classes['hint']}>
      DSN for Sentry’s SDKs: <span className={classes['code']}>{dsn}</span>{' '}
      <CopyButton text={dsn} what={`the DSN of ${name ?? 'Unnamed'}`} />
    </p>
  )
}

function State({ shown: { revokedAt, lastUsedAt } }: { readonly shown: KeySettings }) {
  if (revokedAt !== null)
    return (
      <>
        revoked <Ago at={revokedAt} />
      </>
    )
  if (lastUsedAt === null) return 'never used'
  return (
    <>
      last used <Ago at={lastUsedAt} />
    </>
  )
}
