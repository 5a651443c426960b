import { endpoints } from '@bugle/contract'
import { DomainError } from '../../../domain/domain-error.ts'
import type { CheckReadiness } from '../../../domain/readiness.ts'
import { answer, type Bind } from '../../route.ts'

const NOT_CACHED = { 'cache-control': 'no-store' }

/** The server is not ready once `closing` signals that it is about to stop. */
export function bindHealth(bind: Bind, checkReadiness: CheckReadiness, closing: AbortSignal): void {
  bind(endpoints.checkHealth, async () => answer(200, { status: 'ok' }, NOT_CACHED))

  bind(endpoints.checkReadiness, async () => {
    if (closing.aborted) throw new DomainError('unavailable', { detail: 'The server is stopping.' })
    await checkReadiness()
    return answer(200, { status: 'ok' }, NOT_CACHED)
  })
}
