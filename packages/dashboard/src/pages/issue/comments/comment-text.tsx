import { lazy, Suspense } from 'react'
import type { MarkdownProps } from '../../../markdown/markdown.tsx'
import { PlainText } from '../../../ui/report-text/plain-text.tsx'

const Markdown = lazy(() =>
  import('../../../markdown/markdown.tsx').then((module) => ({ default: module.Markdown })),
)

/** The text of a comment; as it was typed until the code that formats it is loaded. */
export function CommentText(props: MarkdownProps) {
  return (
    <Suspense fallback={<PlainText text={props.text} />}>
      <Markdown {...props} />
    </Suspense>
  )
}
