import type { ProjectStats } from '@bugle/contract'
import { formatShare, shareOf } from '../../charts/nice-scale.ts'
import { Card } from '../../ui/card.tsx'
import { countOf, formatCount } from '../../ui/words.ts'
import classes from './intake-card.module.css'
import { type LedgerEntry, ledgerOf, skippedText } from './ledger.ts'

/** The outcome of every submission made with a key of the project. */
export function IntakeCard({ intake }: { readonly intake: ProjectStats['intake'] }) {
  const entries = ledgerOf(intake)
  const skipped = skippedText(intake.skipped)
  return (
    <div className={classes['wide']}>
      <Card
        title="Intake"
        hint={`The outcome of all ${countOf(intake.received, 'submission')}, regardless of the period above.`}
      >
        <div className={classes['bar']} aria-hidden="true">
          {entries.map(({ key, tone, count }) => (
            <span
              key={key}
              data-tone={tone}
              className={classes['part']}
              style={{ inlineSize: `${100 * shareOf(count, intake.received)}%` }}
            />
          ))}
        </div>
        <table className={classes['table']}>
          <caption className="visually-hidden">The outcome of every submission</caption>
          <thead>
            <tr>
              <th scope="col">Outcome</th>
              <th scope="col">Meaning</th>
              <th scope="col">Count</th>
              <th scope="col">Share</th>
            </tr>
          </thead>
          <tbody>
            {entries.map((entry) => (
              <Row key={entry.key} entry={entry} received={intake.received} />
            ))}
          </tbody>
          <tfoot>
            <tr>
              <th scope="row">Received</th>
              <td>All submissions.</td>
              <td>{formatCount(intake.received)}</td>
              <td>{formatShare(intake.received, intake.received)}</td>
            </tr>
          </tfoot>
        </table>
        {skipped !== '' && (
          <p className={classes['skipped']}>Parts from Sentry's SDKs that are not kept: {skipped}.</p>
        )}
      </Card>
    </div>
  )
}

function Row({ entry, received }: { readonly entry: LedgerEntry; readonly received: number }) {
  const { name, meaning, help, tone, count } = entry
  return (
    <tr data-none={count === 0 || undefined}>
      <th scope="row">
        <span className={classes['swatch']} data-tone={tone} aria-hidden="true" />
        {name}
      </th>
      <td>
        {meaning}
        {help !== undefined && (
          <>
            {' '}
            <a href={help} target="_blank" rel="noreferrer">
              What to do
            </a>
          </>
        )}
      </td>
      <td>{formatCount(count)}</td>
      <td>{formatShare(count, received)}</td>
    </tr>
  )
}
