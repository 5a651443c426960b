import { Switch } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { sessionQuery } from '../../api/session.ts'
import { switchSingleKeys, useSingleKeys } from '../../keyboard/single-keys.ts'
import { Page } from '../../ui/page.tsx'
import classes from './account-page.module.css'
import { PasswordSection } from './password-section.tsx'
import { ROLE_NAMES } from './role-names.ts'
import { SignInsSection } from './sign-ins-section.tsx'

/** The account of the person who is signed in. */
export function AccountPage() {
  const { data: session } = useQuery(sessionQuery)
  const areKeysOn = useSingleKeys()
  if (session === null || session === undefined) return null
  const { name, email, role, canSeeSecurity } = session.user
  return (
    <Page title="Account">
      <div className={classes['sections']}>
        <section className={classes['section']} aria-labelledby="account-person">
          <h2 id="account-person">{name}</h2>
          <p className={classes['hint']}>
            {email} · {ROLE_NAMES[role]}
            {canSeeSecurity && ' · can see security issues'}
          </p>
          <p className={classes['hint']}>
            An admin can change these in the settings, or with <code>npx bugle user update</code>.
          </p>
        </section>
        <section className={classes['section']} aria-labelledby="account-keys">
          <h2 id="account-keys">Keyboard</h2>
          <Switch
            label="Single-key shortcuts in this browser"
            checked={areKeysOn}
            onChange={(event) => switchSingleKeys(event.currentTarget.checked)}
          />
        </section>
        <PasswordSection email={email} />
        <SignInsSection />
      </div>
    </Page>
  )
}
