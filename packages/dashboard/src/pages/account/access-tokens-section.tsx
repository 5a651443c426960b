import { ALL_SCOPES, MAX_ACCESS_TOKENS, type Scope } from '@bugle/contract'
import type { AccessToken, CreatedAccessToken } from '@bugle/contract/settings'
import { Button, Checkbox, NativeSelect, Skeleton, TextInput } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { accessTokensQuery, useProfile } from '../../api/people/account.ts'
import { Failure } from '../../ui/feedback/failure.tsx'
import { ChangeDialog } from '../settings/change-dialog.tsx'
import { SecretOnce } from '../settings/secret-once.tsx'
import settingsClasses from '../settings/settings.module.css'
import classes from './account-page.module.css'
import { TokenRow } from './token-row.tsx'

/** The person's access tokens, for their own scripts. */
export function AccessTokensSection({ scopes }: { readonly scopes: readonly Scope[] }) {
  const { data: tokens, error, refetch } = useQuery(accessTokensQuery)
  const { revokeToken } = useProfile()
  const [isCreating, setCreating] = useState(false)
  const [created, setCreated] = useState<CreatedAccessToken>()
  const [revoked, setRevoked] = useState<AccessToken>()
  return (
    <section className={classes['section']} aria-labelledby="account-tokens">
      <h2 id="account-tokens">Access tokens</h2>
      <p className={classes['hint']}>
        For your own scripts. A token acts for you, and never has more rights than you have.
      </p>
      {error !== null && <Failure error={error} onRetry={() => void refetch()} />}
      {error === null && tokens === undefined && <Skeleton height={48} />}
      <ul className={classes['list']}>
        {tokens?.map((token) => (
          <TokenRow key={token.id} token={token} onRevoke={() => setRevoked(token)} />
        ))}
      </ul>
      <Button
        variant="default"
        className={classes['submit'] ?? ''}
        disabled={(tokens?.length ?? 0) >= MAX_ACCESS_TOKENS}
        onClick={() => setCreating(true)}
      >
        New token
      </Button>
      {isCreating && (
        <NewTokenDialog
          scopes={scopes}
          onCreated={(token) => {
            setCreating(false)
            setCreated(token)
          }}
          onClose={() => setCreating(false)}
        />
      )}
      {created !== undefined && (
        <SecretOnce
          title="Copy your token now"
          what="the token"
          secret={created.token}
          onClose={() => setCreated(undefined)}
        >
          It is shown only once, and cannot be recovered. Whoever has it can act in your name.
        </SecretOnce>
      )}
      {revoked !== undefined && (
        <ChangeDialog
          title={`Revoke ${revoked.name}?`}
          action="Revoke"
          isDangerous
          onSubmit={() => revokeToken(revoked.id)}
          onClose={() => setRevoked(undefined)}
        >
          <p>Whatever uses this token stops working within a second. This cannot be undone.</p>
        </ChangeDialog>
      )}
    </section>
  )
}

const LIFETIMES = [
  { value: '30', label: '30 days' },
  { value: '90', label: '90 days' },
  { value: '365', label: 'A year' },
  { value: '', label: 'Does not expire' },
] as const

interface NewTokenDialogProps {
  /** Those of the person. */
  readonly scopes: readonly Scope[]
  readonly onCreated: (token: CreatedAccessToken) => void
  readonly onClose: () => void
}

function NewTokenDialog({ scopes, onCreated, onClose }: NewTokenDialogProps) {
  const { createToken } = useProfile()
  const [chosen, setChosen] = useState<readonly string[]>([])

  async function create(fields: FormData): Promise<false> {
    const days = String(fields.get('days'))
    onCreated(
      await createToken({
        name: String(fields.get('name')),
        scopes: ALL_SCOPES.filter((scope) => chosen.includes(scope)),
        ...(days !== '' && { expiresInDays: Number(days) }),
      }),
    )
    return false
  }

  return (
    <ChangeDialog
      title="New token"
      action="Create token"
      isReady={chosen.length > 0}
      onSubmit={create}
      onClose={onClose}
    >
      <TextInput
        label="Name"
        description="What it is used for."
        name="name"
        maxLength={100}
        required
        withAsterisk={false}
        data-autofocus
      />
      <NativeSelect label="Expires after" name="days" data={[...LIFETIMES]} defaultValue="90" />
      <fieldset className={settingsClasses['choices']}>
        <legend>Scopes</legend>
        <Checkbox.Group value={[...chosen]} onChange={setChosen}>
          <div className={settingsClasses['choices']}>
            {scopes.map((scope) => (
              <Checkbox key={scope} value={scope} label={scope} />
            ))}
          </div>
        </Checkbox.Group>
      </fieldset>
    </ChangeDialog>
  )
}
