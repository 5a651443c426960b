import { ReportText } from '../../ui/report-text/report-text.tsx'
import classes from './description.module.css'

/** What the reporter wrote. */
export function Description({ text }: { readonly text: string | null }) {
  return (
    <section aria-labelledby="description">
      <h2 id="description" className="visually-hidden">
        Description
      </h2>
      {text === null || text.trim() === '' ? (
        <p className={classes['none']}>No description.</p>
      ) : (
        <ReportText text={text} />
      )}
    </section>
  )
}
