import { expect } from 'vitest'
import type { TransferLine } from '../../packages/server/src/model/transfer/lines.ts'
import { openInspection, openStorageForCommand } from '../../packages/server/src/storage/open-storage.ts'
import type { Ledger } from './ledger.ts'

/** The result of a check: the figures that have to be zero, and the total. */
export interface Findings {
  readonly acknowledged: number
  readonly lost: number
  readonly doubled: number
}

/**
 * Nothing acknowledged is lost, nothing is stored twice, numbers and positions have no gaps, counters equal a recount and
 * every report has its event. For databases with one project in which nothing was deleted; `events` are those of other kinds.
 */
export async function expectIntact(
  databaseUrl: string,
  ledger: Pick<Ledger, 'sent' | 'receipts'>,
  events: Readonly<Record<string, number>> = {},
): Promise<Findings> {
  {
    await using inspection = await openInspection(databaseUrl)
    expect(await inspection.listDamage()).toEqual([])
    expect((await inspection.audit()).faults).toEqual([])
  }
  const stored = await readStored(databaseUrl)
  expect(stored.issueNumbers).toEqual(numbersTo(stored.lastIssueNumber))
  expect(stored.positions).toEqual(numbersTo(stored.lastEventPosition))
  expect(stored.eventTypes).toEqual({
    'issue.created': stored.issueNumbers.length,
    ...countOf('issue.reported', stored.joined),
    ...events,
  })
  expect(stored.intake).toEqual({
    ...countOf('stored', stored.issueNumbers.length),
    ...countOf('joined', stored.joined),
  })

  const lost = [...ledger.receipts].filter(([id, receipt]) => !isAsPromised(stored.places.get(id), receipt))
  const doubled = [...stored.places].filter(([, places]) => places.length > 1)
  const strangers = [...stored.places.keys()].filter((id) => !ledger.sent.has(id))
  expect({ lost, doubled, strangers }).toEqual({ lost: [], doubled: [], strangers: [] })
  return { acknowledged: ledger.receipts.size, lost: lost.length, doubled: doubled.length }
}

interface Place {
  readonly id: string
  readonly issueNumber: number
}

function isAsPromised(places: readonly Place[] | undefined, promised: Place): boolean {
  const [place] = places ?? []
  return place?.id === promised.id && place.issueNumber === promised.issueNumber
}

/** All stored data, grouped by submission id. */
async function readStored(databaseUrl: string) {
  const lines = await readLines(databaseUrl)
  const of = <K extends TransferLine['record']>(kind: K) =>
    lines.filter((line): line is Extract<TransferLine, { record: K }> => line.record === kind)
  const [project] = of('project')
  const ids = new Map(of('issue').map(({ number, id }) => [number, id]))
  const places = new Map<string, Place[]>()
  const note = (submissionId: string | null, issueNumber: number) => {
    const place = { id: ids.get(issueNumber) ?? '', issueNumber }
    places.set(submissionId ?? '', [...(places.get(submissionId ?? '') ?? []), place])
  }
  for (const issue of of('issue')) note(issue.submissionId, issue.number)
  for (const report of of('report')) note(report.submissionId, report.issueNumber)
  return {
    places,
    lastIssueNumber: project?.lastIssueNumber ?? 0,
    lastEventPosition: project?.lastEventPosition ?? 0,
    issueNumbers: of('issue').map(({ number }) => number),
    joined: of('report').length,
    positions: of('event').map(({ position }) => position),
    eventTypes: tally(of('event').map(({ type }) => type)),
    intake: Object.fromEntries(
      of('counter')
        .filter(({ dimension, value }) => dimension === 'intake' && /^(?:stored|joined)$/.test(value))
        .map(({ value, count }) => [value, count]),
    ),
  }
}

/** For the only project. */
async function readLines(databaseUrl: string): Promise<readonly TransferLine[]> {
  const storage = await openStorageForCommand(databaseUrl)
  try {
    return await storage.transfer.snapshot(null, async (snapshot) => {
      const lines: TransferLine[] = []
      for await (const some of snapshot.lines()) lines.push(...some)
      return lines
    })
  } finally {
    await storage.close()
  }
}

function tally(values: readonly string[]): Record<string, number> {
  const counts: Record<string, number> = {}
  for (const value of values) counts[value] = (counts[value] ?? 0) + 1
  return counts
}

function countOf(name: string, count: number): Record<string, number> {
  return count === 0 ? {} : { [name]: count }
}

function numbersTo(last: number): readonly number[] {
  return Array.from({ length: last }, (_, index) => index + 1)
}
