import { endpoints } from '@bugle/contract'
import type { Storage } from '../../storage/storage.ts'
import { answer, type Bind } from '../route.ts'

const NOT_CACHED = { 'cache-control': 'no-store' }

export function bindHealth(bind: Bind, probe: Storage['probe']): void {
  bind(endpoints.checkHealth, async () => answer(200, { status: 'ok' }, NOT_CACHED))

  bind(endpoints.checkReadiness, async () => {
    await probe()
    return answer(200, { status: 'ok' }, NOT_CACHED)
  })
}
