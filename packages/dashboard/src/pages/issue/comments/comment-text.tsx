import { Suspense } from 'react'
import type { MarkdownProps } from '../../../markdown/markdown.tsx'
import { lazyPart } from '../../../shell/lazy-part.ts'
import { PlainText } from '../../../ui/report-text/plain-text.tsx'

const Markdown = lazyPart(() => import('../../../markdown/markdown.tsx'), 'Markdown')

/** The text of a comment; as it was typed until the code that formats it is loaded. */
export function CommentText(props: MarkdownProps) {
  return (
    <Suspense fallback={<PlainText text={props.text} />}>
      <Markdown {...props} />
    </Suspense>
  )
}
