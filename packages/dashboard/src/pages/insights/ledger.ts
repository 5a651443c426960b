import { ERROR_CODES, type ProjectStats } from '@bugle/contract'
import { formatCount } from '../../ui/words.ts'

export interface LedgerEntry {
  readonly key: string
  readonly name: string
  readonly meaning: string
  /** A page with more information. */
  readonly help?: string
  readonly tone: 'stored' | 'joined' | 'replayed' | 'refused' | 'limited'
  readonly count: number
}

type Intake = ProjectStats['intake']

/** The outcomes, line by line: stored, refused by reason, rate limited. The lines add up to `received`. */
export function ledgerOf({ stored, joined, replayed, refused, limited }: Intake): readonly LedgerEntry[] {
  return [
    { key: 'stored', name: 'Stored', meaning: 'Created a new issue.', tone: 'stored', count: stored },
    {
      key: 'joined',
      name: 'Joined',
      meaning: 'Added to the issue with the same fingerprint.',
      tone: 'joined',
      count: joined,
    },
    {
      key: 'replayed',
      name: 'Replayed',
      meaning: 'A retry of a submission that was already stored.',
      tone: 'replayed',
      count: replayed,
    },
    ...Object.entries(refused).map(([code, count]) => refusal(code, count)),
    {
      key: 'limited',
      name: 'Limited',
      meaning: 'Exceeded a rate limit; the client was told when to retry.',
      tone: 'limited',
      count: limited,
    },
  ]
}

/** A newer server may have codes that this page does not know. */
function refusal(code: string, count: number): LedgerEntry {
  const known = Object.entries(ERROR_CODES).find(([name]) => name === code)?.[1]
  return {
    key: `refused:${code}`,
    name: `Refused: ${code}`,
    meaning: `${known?.title ?? 'The server did not accept it'}.`,
    ...(known !== undefined && { help: `/problems/${code}` }),
    tone: 'refused',
    count,
  }
}

/** What Sentry's SDKs sent along and the server does not keep, by kind, most first; empty if there is nothing. */
export function skippedText(skipped: Intake['skipped']): string {
  return Object.entries(skipped ?? {})
    .sort(([one, first], [other, second]) => second - first || (one < other ? -1 : 1))
    .map(([kind, count]) => `${formatCount(count)} ${kind}`)
    .join(', ')
}
