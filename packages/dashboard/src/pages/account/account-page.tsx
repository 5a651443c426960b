import { Switch } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { sessionQuery } from '../../api/people/session.ts'
import { switchSingleKeys, useSingleKeys } from '../../keyboard/single-keys.ts'
import { Page } from '../../ui/page.tsx'
import { AccessTokensSection } from './access-tokens-section.tsx'
import classes from './account-page.module.css'
import { PasswordSection } from './password-section.tsx'
import { PersonSection } from './person-section.tsx'
import { SignInsSection } from './sign-ins-section.tsx'
import { ThemeSection } from './theme-section.tsx'

/** The profile of the person who is signed in. */
export function AccountPage() {
  const { data: session } = useQuery(sessionQuery)
  const areKeysOn = useSingleKeys()
  if (session === null || session === undefined) return null
  const { user } = session
  return (
    <Page title="Profile">
      <div className={classes['sections']}>
        <PersonSection user={user} />
        <ThemeSection />
        <section className={classes['section']} aria-labelledby="account-keys">
          <h2 id="account-keys">Keyboard</h2>
          <Switch
            label="Single-key shortcuts in this browser"
            checked={areKeysOn}
            onChange={(event) => switchSingleKeys(event.currentTarget.checked)}
          />
        </section>
        <PasswordSection email={user.email} />
        <SignInsSection />
        <AccessTokensSection scopes={user.scopes} />
      </div>
    </Page>
  )
}
