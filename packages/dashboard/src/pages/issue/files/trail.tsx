import type { Attachment } from '@bugle/contract'
import { useQuery } from '@tanstack/react-query'
import { attachmentAddress } from '../../../api/issues/attachments.ts'
import { InlineFailure } from '../../../ui/feedback/inline-failure.tsx'
import { readSteps, type Step } from './read-steps.ts'
import classes from './trail.module.css'

/** The steps before a report, as a list. */
export function Trail({ file: { id, reportNumber } }: { readonly file: Attachment }) {
  const { data, error, refetch } = useQuery({
    queryKey: ['attachment', id, 'trail'],
    queryFn: async ({ signal }) => {
      const response = await fetch(attachmentAddress(id), { signal })
      if (!response.ok) throw new Error('The trail could not be loaded.')
      return readSteps(await response.text())
    },
    staleTime: Number.POSITIVE_INFINITY,
  })
  if (error !== null) return <InlineFailure error={error} onRetry={() => void refetch()} />
  if (data === undefined || data.length === 0) return null
  return (
    <details className={classes['trail']}>
      <summary>Steps before report {reportNumber}</summary>
      <ol className={classes['steps']}>
        {data.map((step, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: the list never changes.
          <StepRow key={index} step={step} />
        ))}
      </ol>
    </details>
  )
}

const KIND_NAMES: Readonly<Record<string, string>> = {
  navigation: 'Navigation',
  click: 'Click',
  console: 'Console',
  request: 'Request',
  app: 'App',
}

function StepRow({ step: { at, kind, text } }: { readonly step: Step }) {
  return (
    <li className={classes['step']}>
      <time className={classes['time']} dateTime={at}>
        {new Date(at).toLocaleTimeString('en-GB')}
      </time>
      <span className={classes['kind']}>{KIND_NAMES[kind] ?? 'Other'}</span>
      <bdi className={classes['text']}>{text}</bdi>
    </li>
  )
}
