import type { PersonSettings } from '@bugle/contract/settings'
import { Skeleton } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { personTokensQuery, useSettings } from '../../../api/settings.ts'
import { Dialog } from '../../../ui/dialogs/dialog.tsx'
import { explainChange } from '../../../ui/feedback/explain-change.ts'
import { InlineFailure } from '../../../ui/feedback/inline-failure.tsx'
import { TokenRow } from '../../account/token-row.tsx'
import classes from '../settings.module.css'

interface TokensDialogProps {
  readonly person: PersonSettings
  readonly onClose: () => void
}

/** The access tokens of a person, which an admin can revoke but not create. */
export function TokensDialog({ person: { id, name }, onClose }: TokensDialogProps) {
  const { data: tokens, error, refetch } = useQuery(personTokensQuery(id))
  const { revokeToken } = useSettings()
  const [failure, setFailure] = useState<unknown>(null)

  function revoke(tokenId: string): void {
    setFailure(null)
    revokeToken(id, tokenId).catch(setFailure)
  }

  return (
    <Dialog title={`Access tokens of ${name}`} onClose={onClose} size="lg">
      <div className={classes['form']}>
        {tokens === undefined && error !== null && (
          <InlineFailure error={error} onRetry={() => void refetch()} />
        )}
        {tokens === undefined && error === null && <Skeleton height={64} />}
        {tokens?.length === 0 && <p>No tokens. People create their own, on their profile page.</p>}
        {tokens !== undefined && tokens.length > 0 && (
          <ul className={classes['list']}>
            {tokens.map((token) => (
              <TokenRow key={token.id} token={token} onRevoke={() => revoke(token.id)} />
            ))}
          </ul>
        )}
        <p role="alert" className={classes['error']}>
          {failure !== null && explainChange(failure)}
        </p>
      </div>
    </Dialog>
  )
}
