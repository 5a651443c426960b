import { endpoints } from '@bugle/contract'
import type { CheckReadiness } from '../../../domain/readiness.ts'
import { answer, type Bind } from '../../route.ts'

const NOT_CACHED = { 'cache-control': 'no-store' }

export function bindHealth(bind: Bind, checkReadiness: CheckReadiness): void {
  bind(endpoints.checkHealth, async () => answer(200, { status: 'ok' }, NOT_CACHED))

  bind(endpoints.checkReadiness, async () => {
    await checkReadiness()
    return answer(200, { status: 'ok' }, NOT_CACHED)
  })
}
