import { Suspense, useEffect, useState } from 'react'
import { onRecentSignInRequired } from '../../api/client.ts'
import { lazyPart } from '../lazy-part.ts'

const PasswordDialog = lazyPart(() => import('./password-dialog.tsx'), 'PasswordDialog')

interface Question {
  readonly answer: (hasSignedIn: boolean) => void
}

/** Asks for the password whenever a call needs a recent sign-in, wherever it was made. The call is then repeated. */
export function RecentSignIn() {
  const [question, setQuestion] = useState<Question>()

  useEffect(
    () =>
      onRecentSignInRequired(async () => {
        const { promise, resolve } = Promise.withResolvers<boolean>()
        setQuestion({ answer: resolve })
        const hasSignedIn = await promise
        setQuestion(undefined)
        return hasSignedIn
      }),
    [],
  )

  return <Suspense>{question !== undefined && <PasswordDialog onAnswered={question.answer} />}</Suspense>
}
