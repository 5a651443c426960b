import type { PersonLink, PersonSettings } from '@bugle/contract/settings'
import { Button, Skeleton } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useMe } from '../../../api/people/session.ts'
import { personSettingsQuery, useSettings } from '../../../api/settings.ts'
import { useProjects } from '../../../shell/current-project.ts'
import { Failure } from '../../../ui/feedback/failure.tsx'
import { Page } from '../../../ui/page.tsx'
import { countOf } from '../../../ui/words.ts'
import { ChangeDialog } from '../change-dialog.tsx'
import { SecretOnce } from '../secret-once.tsx'
import classes from '../settings.module.css'
import { InviteDialog, PersonDialog } from './person-dialogs.tsx'
import { TokensDialog } from './tokens-dialog.tsx'

const ROLE_TITLES = { viewer: 'Viewer', triager: 'Triager', admin: 'Admin' } as const

/** A link to send to a person. */
interface Shown extends PersonLink {
  readonly email: string
}

/** The people who can sign in, and what they may do. */
export function PeoplePage() {
  const { data: people, error, refetch } = useQuery(personSettingsQuery)
  const [isInviting, setInviting] = useState(false)
  const [link, setLink] = useState<Shown>()
  return (
    <Page title="People" actions={<Button onClick={() => setInviting(true)}>Invite a person</Button>}>
      {people === undefined && error !== null && <Failure error={error} onRetry={() => void refetch()} />}
      {people === undefined && error === null && <Skeleton height={160} />}
      {people !== undefined && (
        <ul className={classes['list']}>
          {people.map((person) => (
            <PersonRow
              key={person.id}
              person={person}
              onLink={(created) => setLink({ ...created, email: person.email })}
            />
          ))}
        </ul>
      )}
      {isInviting && (
        <InviteDialog
          onInvited={({ person, ...created }) => {
            setInviting(false)
            setLink({ ...created, email: person.email })
          }}
          onClose={() => setInviting(false)}
        />
      )}
      {link !== undefined && (
        <SecretOnce
          title="Copy the link now"
          what="the link"
          secret={new URL(link.link, location.origin).href}
          onClose={() => setLink(undefined)}
        >
          {`Send it to ${link.email}. It works once, for 24 hours, and is shown only now.`}
        </SecretOnce>
      )}
    </Page>
  )
}

interface PersonRowProps {
  readonly person: PersonSettings
  readonly onLink: (link: PersonLink) => void
}

function PersonRow({ person, onLink }: PersonRowProps) {
  const { createLink, removePerson } = useSettings()
  const me = useMe()
  const [open, setOpen] = useState<'edit' | 'link' | 'tokens' | 'remove'>()
  const close = () => setOpen(undefined)
  const { id, name, email, role, canSeeSecurity, hasPassword } = person
  return (
    <li className={classes['row']}>
      <div className={classes['words']}>
        <h2 className={classes['name']}>
          <bdi>{name}</bdi>
          {id === me && ' (you)'}
        </h2>
        <p className={classes['hint']}>
          {email} · {ROLE_TITLES[role]} · <Reach person={person} />
          {canSeeSecurity && ' · sees security issues'}
          {!hasPassword && ' · invited'}
        </p>
      </div>
      <div className={classes['actions']}>
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
          aria-label={`New link for ${name}`}
          onClick={() => setOpen('link')}
        >
          New link
        </Button>
        <Button
          size="compact-sm"
          variant="default"
          aria-label={`Access tokens of ${name}`}
          onClick={() => setOpen('tokens')}
        >
          Tokens
        </Button>
        <Button
          size="compact-sm"
          variant="default"
          aria-label={`Remove ${name}`}
          onClick={() => setOpen('remove')}
        >
          Remove
        </Button>
      </div>
      {open === 'edit' && <PersonDialog person={person} onClose={close} />}
      {open === 'tokens' && <TokensDialog person={person} onClose={close} />}
      {open === 'link' && (
        <ChangeDialog
          title={`New link for ${name}?`}
          action="Create link"
          onSubmit={async () => onLink(await createLink(id))}
          onClose={close}
        >
          <p>With the link, {email} can set a new password. Earlier links stop working.</p>
        </ChangeDialog>
      )}
      {open === 'remove' && (
        <ChangeDialog
          title={`Remove ${name}?`}
          action="Remove"
          isDangerous
          onSubmit={() => removePerson(id)}
          onClose={close}
        >
          <p>
            They are signed out at once, and their issues are unassigned. What they did stays in the history.
          </p>
        </ChangeDialog>
      )}
    </li>
  )
}

function Reach({ person: { projectIds } }: { readonly person: PersonSettings }) {
  const projects = useProjects()
  if (projectIds === null) return 'all projects'
  const names = projects.filter(({ id }) => projectIds.includes(id)).map(({ name }) => name)
  return names.length > 0 && names.length <= 3 ? names.join(', ') : countOf(projectIds.length, 'project')
}
