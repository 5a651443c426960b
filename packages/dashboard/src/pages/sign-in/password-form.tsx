import { ApiProblem } from '@bugle/client'
import { endpoints } from '@bugle/contract'
import { Button, PasswordInput, TextInput } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import type { FormEvent } from 'react'
import { client } from '../../api/client.ts'
import { explain } from '../../ui/feedback/failure.tsx'
import classes from './sign-in-page.module.css'
import { useEnter } from './use-enter.ts'

interface Credentials {
  readonly email: string
  readonly password: string
}

export function PasswordForm({ from }: { readonly from: string }) {
  const enter = useEnter()
  const signIn = useMutation({
    mutationFn: async (body: Credentials) => (await client.call(endpoints.signIn, { body })).body,
    onSuccess: (session) => enter(session, from),
  })

  function onSubmit(event: FormEvent<HTMLFormElement>): void {
    event.preventDefault()
    const fields = new FormData(event.currentTarget)
    signIn.mutate({ email: String(fields.get('email')), password: String(fields.get('password')) })
  }

  return (
    <form onSubmit={onSubmit} className={classes['form']}>
      <h1>Sign in</h1>
      <TextInput
        label="Email"
        name="email"
        type="email"
        autoComplete="username"
        required
        withAsterisk={false}
        data-autofocus
        ref={focusOnce}
      />
      <PasswordInput
        label="Password"
        name="password"
        autoComplete="current-password"
        required
        withAsterisk={false}
      />
      <p role="alert" className={classes['error']}>
        {signIn.error && explainSignIn(signIn.error)}
      </p>
      <Button type="submit" loading={signIn.isPending} fullWidth>
        Sign in
      </Button>
      <p className={classes['hint']}>
        Forgot your password? An admin can create a new link for you on the server:{' '}
        <code>npx bugle user link EMAIL</code>
      </p>
    </form>
  )
}

function explainSignIn(error: Error): string {
  const isWrong = error instanceof ApiProblem && error.code === 'sign-in-failed'
  return isWrong ? 'Wrong email or password.' : explain(error)
}

function focusOnce(input: HTMLInputElement | null): void {
  input?.focus()
}
