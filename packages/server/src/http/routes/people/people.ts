import { endpoints } from '@bugle/contract'
import type { Assignees } from '../../../domain/people/assignees.ts'
import { answer, type Bind } from '../../route.ts'

const PRIVATE = { vary: 'Authorization, Cookie', 'cache-control': 'private, no-cache' }

export function bindPeople(bind: Bind, assignees: Assignees): void {
  bind(endpoints.listPeople, async ({ caller, params, query }) =>
    answer(200, await assignees.list(caller, params.idOrSlug, query), PRIVATE),
  )
}
