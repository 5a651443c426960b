import { endpoints } from '@bugle/contract'
import type { Labels } from '../../../domain/projects/labels.ts'
import { answer, type Bind } from '../../route.ts'

const PRIVATE = { vary: 'Authorization, Cookie', 'cache-control': 'private, no-cache' }

export function bindLabels(bind: Bind, labels: Labels): void {
  bind(endpoints.listLabels, async ({ caller, params }) =>
    answer(200, await labels.list(caller, params.idOrSlug), PRIVATE),
  )
}
