import type { NewReport, SubmitOutcome } from '../../../model/reports/reports.ts'
import type { WriteCall, WriteResult } from '../writer/writer.ts'
import { PACKED_VALUES, type PackedReport, packReport, unpackReport } from './pack-reports.ts'

/** What crosses the thread boundary: one flat list for a batch. Copying objects would cost more than storing them. */
export type Packed = readonly unknown[]

export function packCalls(calls: readonly WriteCall[]): Packed {
  const packed: unknown[] = []
  for (const call of calls) {
    packed.push(call[0])
    if (isSubmission(call)) packReport(call[1], packed)
    else packed.push(call.slice(1))
  }
  return packed
}

export function unpackCalls(packed: Packed): readonly WriteCall[] {
  const calls: WriteCall[] = []
  let at = 0
  while (at < packed.length) {
    const name = packed[at++] as WriteCall[0]
    if (name === 'submitReport') {
      calls.push([name, unpackReport(packed.slice(at, at + PACKED_VALUES) as unknown as PackedReport)])
      at += PACKED_VALUES
    } else {
      calls.push([name, ...(packed[at++] as unknown[])])
    }
  }
  return calls
}

/** For a report that became an issue, the number is the only value that the sender does not know. */
export function packResults(results: readonly WriteResult[]): Packed {
  return results.map((result) => {
    const outcome = 'value' in result ? (result.value as Partial<SubmitOutcome> | undefined) : undefined
    return outcome?.kind === 'stored' ? outcome.receipt?.issueNumber : result
  })
}

export function unpackResults(packed: Packed, calls: readonly WriteCall[]): readonly WriteResult[] {
  return packed.map((result, index) => {
    if (typeof result !== 'number') return result as WriteResult
    const { issueId, receivedAt } = reportOf(calls[index])
    const receipt = {
      issueId,
      issueNumber: result,
      status: 'open',
      createdAt: receivedAt,
      receivedAt,
      reportCount: 1,
    } as const
    return { value: { kind: 'stored', receipt } satisfies SubmitOutcome }
  })
}

function reportOf(call: WriteCall | undefined): NewReport {
  if (call === undefined || !isSubmission(call)) throw new TypeError('a number answers only a submission')
  return call[1]
}

function isSubmission(call: WriteCall): call is readonly ['submitReport', NewReport] {
  return call[0] === 'submitReport'
}
