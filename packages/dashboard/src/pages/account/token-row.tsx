import type { AccessToken } from '@bugle/contract/settings'
import { Button } from '@mantine/core'
import { Ago } from '../../ui/time.tsx'
import classes from './account-page.module.css'

interface TokenRowProps {
  readonly token: AccessToken
  readonly onRevoke: () => void
}

/** An access token in a list, without the token itself. */
export function TokenRow({ token, onRevoke }: TokenRowProps) {
  const { name, ending, scopes, lastUsedAt, expiresAt } = token
  const isExpired = expiresAt !== null && Date.parse(expiresAt) <= Date.now()
  return (
    <li className={classes['row']}>
      <div className={classes['words']}>
        <p>
          <bdi>{name}</bdi> <code className={classes['code']}>bgl_pat_…{ending}</code>
        </p>
        <p className={classes['hint']}>{scopes.join(', ')}</p>
        <p className={classes['hint']}>
          {lastUsedAt === null ? (
            'never used'
          ) : (
            <>
              last used <Ago at={lastUsedAt} />
            </>
          )}
          {' · '}
          {expiresAt === null
            ? 'does not expire'
            : `${isExpired ? 'expired' : 'expires'} on ${new Date(expiresAt).toLocaleDateString()}`}
        </p>
      </div>
      <Button size="compact-sm" variant="default" aria-label={`Revoke ${name}`} onClick={onRevoke}>
        Revoke
      </Button>
    </li>
  )
}
