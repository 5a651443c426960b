import { ApiProblem } from '@bugle/client'
import { explain } from './failure.tsx'

/** For invalid fields, the reasons of the server; otherwise what happened. */
export function explainChange(error: unknown): string {
  const faults = error instanceof ApiProblem ? error.problem.errors : undefined
  return faults?.map(({ detail }) => detail).join(' ') || explain(error)
}
