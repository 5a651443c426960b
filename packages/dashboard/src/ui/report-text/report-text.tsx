import { PlainText } from './plain-text.tsx'
import classes from './report-text.module.css'
import { splitTraces } from './split-traces.ts'
import { StackTrace } from './stack-trace.tsx'

/** Reported text, with stack traces set apart. */
export function ReportText({ text }: { readonly text: string }) {
  return (
    <div className={classes['parts']}>
      {splitTraces(text).map((part, index) => {
        const Part = part.isTrace ? StackTrace : PlainText
        // biome-ignore lint/suspicious/noArrayIndexKey: the parts of a text never change their order
        return <Part key={index} text={part.text} />
      })}
    </div>
  )
}
