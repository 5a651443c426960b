import type { User } from '@bugle/contract'
import { Button, TextInput } from '@mantine/core'
import { useProfile } from '../../api/people/account.ts'
import { explainChange } from '../../ui/feedback/explain-change.ts'
import { showToast } from '../../ui/feedback/toasts.tsx'
import { useChange } from '../settings/change-dialog.tsx'
import classes from './account-page.module.css'
import { ROLE_NAMES } from './role-names.ts'

/** Name and email address, which people change themselves, and their rights, which an admin changes. */
export function PersonSection({ user }: { readonly user: User }) {
  const { name, email, role, canSeeSecurity } = user
  const { update } = useProfile()
  const { error, isBusy, submit } = useChange(
    (fields) => {
      const typed = String(fields.get('email'))
      return update({ name: String(fields.get('name')), ...(typed !== email && { email: typed }) })
    },
    () => showToast({ tone: 'plain', text: 'Profile saved.' }),
  )
  return (
    <section className={classes['section']} aria-labelledby="account-person">
      <h2 id="account-person">{name}</h2>
      <p className={classes['hint']}>
        {ROLE_NAMES[role]}
        {canSeeSecurity && ' · can see security issues'}. An admin can change this.
      </p>
      <form className={classes['form']} onSubmit={submit}>
        <TextInput
          key={`name ${name}`}
          label="Name"
          description="Shown in the history of issues."
          name="name"
          autoComplete="name"
          defaultValue={name}
          maxLength={100}
          required
          withAsterisk={false}
        />
        <TextInput
          key={`email ${email}`}
          label="Email address"
          description="You sign in with it. Changing it signs no one out."
          name="email"
          type="email"
          autoComplete="email"
          defaultValue={email}
          required
          withAsterisk={false}
        />
        <p role="alert" className={classes['error']}>
          {error !== null && explainChange(error)}
        </p>
        <Button type="submit" variant="default" loading={isBusy} className={classes['submit'] ?? ''}>
          Save
        </Button>
      </form>
    </section>
  )
}
