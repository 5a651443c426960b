import { ApiProblem } from '@bugle/client'
import { endpoints, type Link, type LinkAcceptance, MIN_PASSWORD_CHARS } from '@bugle/contract'
import { Button, PasswordInput, Skeleton, TextInput } from '@mantine/core'
import { useMutation, useQuery } from '@tanstack/react-query'
import { type FormEvent, useEffect } from 'react'
import { client } from '../../api/client.ts'
import { explain } from '../../ui/feedback/failure.tsx'
import classes from './sign-in-page.module.css'
import { forgetLinkToken } from './take-link-token.ts'
import { useEnter } from './use-enter.ts'

interface LinkFormProps {
  readonly token: string
  /** Switches to the form with the password. */
  readonly onLeave: () => void
}

/** Sets a password with a one-time link. */
export function LinkForm({ token, onLeave }: LinkFormProps) {
  const { data: link, error } = useQuery({
    queryKey: ['link', token],
    queryFn: async ({ signal }) => (await client.call(endpoints.readLink, { body: { token }, signal })).body,
  })
  if (error !== null) return <InvalidLink error={error} onLeave={onLeave} />
  if (link === undefined) return <Skeleton height={240} />
  return <NewPassword link={link} token={token} />
}

function InvalidLink({ error, onLeave }: { readonly error: Error; readonly onLeave: () => void }) {
  const isInvalid = error instanceof ApiProblem && error.code === 'link-invalid'
  useEffect(() => {
    if (isInvalid) forgetLinkToken()
  }, [isInvalid])
  return (
    <div className={classes['form']} role="alert">
      <h1>This link does not work</h1>
      <p className={classes['hint']}>
        {isInvalid
          ? 'It was already used, is older than 24 hours, or is incomplete. To create a new one, run npx bugle user link EMAIL on the server, or npx bugle user add --role admin if there is no admin yet.'
          : explain(error)}
      </p>
      <Button variant="default" onClick={onLeave}>
        Sign in with a password
      </Button>
    </div>
  )
}

function NewPassword({ link, token }: { readonly link: Link; readonly token: string }) {
  const enter = useEnter()
  const accept = useMutation({
    mutationFn: async (body: LinkAcceptance) => (await client.call(endpoints.acceptLink, { body })).body,
    onSuccess(session) {
      forgetLinkToken()
      enter(session, '/')
    },
  })

  function onSubmit(event: FormEvent<HTMLFormElement>): void {
    event.preventDefault()
    const fields = new FormData(event.currentTarget)
    accept.mutate({
      token,
      password: String(fields.get('password')),
      name: textOf(fields, 'name'),
      ...(link.email === null && { email: textOf(fields, 'email') }),
    })
  }

  return (
    <form onSubmit={onSubmit} className={classes['form']}>
      <h1>{link.purpose === 'first' ? 'Welcome to Bugle' : 'Choose a new password'}</h1>
      <p className={classes['hint']}>
        {link.purpose === 'first'
          ? 'Choose a password for signing in.'
          : 'You will be signed out everywhere else.'}
      </p>
      <TextInput
        label="Email"
        name="email"
        type="email"
        autoComplete="username"
        required
        withAsterisk={false}
        readOnly={link.email !== null}
        defaultValue={link.email ?? ''}
      />
      <TextInput
        label="Name"
        description="Shown to your team in issue history."
        name="name"
        autoComplete="name"
        required
        withAsterisk={false}
        defaultValue={link.name ?? ''}
      />
      <PasswordInput
        label="Password"
        description={`At least ${MIN_PASSWORD_CHARS} characters. A sentence is easy to remember.`}
        name="password"
        autoComplete="new-password"
        required
        withAsterisk={false}
        minLength={MIN_PASSWORD_CHARS}
      />
      <p role="alert" className={classes['error']}>
        {accept.error && explain(accept.error)}
      </p>
      <Button type="submit" loading={accept.isPending} fullWidth>
        Set password and sign in
      </Button>
    </form>
  )
}

function textOf(fields: FormData, name: string): string | null {
  const text = String(fields.get(name) ?? '').trim()
  return text === '' ? null : text
}
