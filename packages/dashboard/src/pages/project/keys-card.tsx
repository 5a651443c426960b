import type { Project, PublicKey } from '@bugle/contract'
import { Skeleton } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { keysQuery } from '../../api/projects/projects.ts'
import { Card } from '../../ui/card.tsx'
import { CopyButton } from '../../ui/clipboard/copy-button.tsx'
import { InlineFailure } from '../../ui/feedback/inline-failure.tsx'
import { Ago } from '../../ui/time.tsx'
import classes from './keys-card.module.css'
import page from './project-page.module.css'

/** The public keys, and when they were last used. */
export function KeysCard({ project: { slug } }: { readonly project: Project }) {
  const { data: keys, error, refetch } = useQuery(keysQuery(slug))
  return (
    <Card
      title="Public keys"
      hint="Safe to include in apps and pages: a public key can send reports, but not read them."
    >
      {keys === undefined && error !== null && <InlineFailure error={error} onRetry={() => void refetch()} />}
      {keys === undefined && error === null && <Skeleton height={64} />}
      {keys?.length === 0 && (
        <p className={page['quiet']}>
          No public keys yet. Create one on the server:{' '}
          <code className={page['code']}>npx bugle key create --project {slug} --kind public</code>
        </p>
      )}
      {keys !== undefined && keys.length > 0 && (
        <ul className={classes['keys']}>
          {keys.map((key) => (
            <KeyRow key={key.id} publicKey={key} />
          ))}
        </ul>
      )}
    </Card>
  )
}

function KeyRow({ publicKey }: { readonly publicKey: PublicKey }) {
  const { name, token, origins, createdAt, lastUsedAt, revokedAt } = publicKey
  return (
    <li className={classes['key']} data-revoked={revokedAt !== null || undefined}>
      <div className={classes['line']}>
        <h3 className={classes['name']}>
          <bdi>{name ?? 'Unnamed'}</bdi>
        </h3>
        <span className={classes['use']}>
          {revokedAt !== null ? (
            <>
              Revoked <Ago at={revokedAt} />
            </>
          ) : lastUsedAt === null ? (
            'Never used'
          ) : (
            <>
              Last used <Ago at={lastUsedAt} />
            </>
          )}
        </span>
      </div>
      <div className={classes['token']}>
        <code className={page['code']}>{token}</code>
        <CopyButton text={token} what={`the key ${name ?? ''}`.trimEnd()} />
      </div>
      <p className={classes['origins']}>
        {origins.length === 0 ? 'Any origin' : `Origins: ${origins.join(', ')}`} · created{' '}
        <Ago at={createdAt} />
      </p>
    </li>
  )
}
