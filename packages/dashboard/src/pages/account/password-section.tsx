import { MIN_PASSWORD_CHARS } from '@bugle/contract'
import { Button, PasswordInput } from '@mantine/core'
import type { FormEvent } from 'react'
import { useChangePassword } from '../../api/people/account.ts'
import { explain } from '../../ui/feedback/failure.tsx'
import { showToast } from '../../ui/feedback/toasts.tsx'
import classes from './account-page.module.css'

export function PasswordSection({ email }: { readonly email: string }) {
  const changePassword = useChangePassword()

  function onSubmit(event: FormEvent<HTMLFormElement>): void {
    event.preventDefault()
    const form = event.currentTarget
    const fields = new FormData(form)
    const change = {
      currentPassword: String(fields.get('currentPassword')),
      newPassword: String(fields.get('newPassword')),
    }
    changePassword.mutate(change, {
      onSuccess() {
        form.reset()
        showToast({ tone: 'plain', text: 'Password changed. You have been signed out everywhere else.' })
      },
    })
  }

  return (
    <section className={classes['section']} aria-labelledby="account-password">
      <h2 id="account-password">Password</h2>
      <form className={classes['form']} onSubmit={onSubmit}>
        <input type="hidden" name="username" autoComplete="username" value={email} readOnly />
        <PasswordInput
          label="Current password"
          name="currentPassword"
          autoComplete="current-password"
          required
          withAsterisk={false}
        />
        <PasswordInput
          label="New password"
          description={`At least ${MIN_PASSWORD_CHARS} characters.`}
          name="newPassword"
          autoComplete="new-password"
          minLength={MIN_PASSWORD_CHARS}
          required
          withAsterisk={false}
        />
        <p role="alert" className={classes['error']}>
          {changePassword.error && explain(changePassword.error)}
        </p>
        <Button
          type="submit"
          variant="default"
          loading={changePassword.isPending}
          className={classes['submit'] ?? ''}
        >
          Change password
        </Button>
      </form>
    </section>
  )
}
