import { endpoints } from '@bugle/contract'
import type { KnownIssues } from '../../../domain/reporters/known-issues.ts'
import { answer, type Bind } from '../../route.ts'

export function bindKnownIssues(bind: Bind, knownIssues: KnownIssues): void {
  bind(endpoints.searchKnownIssues, async ({ caller, body }) =>
    answer(200, await knownIssues.search(caller, body), { 'cache-control': 'no-store' }),
  )
}
