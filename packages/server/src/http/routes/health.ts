import { endpoints } from '@bugle/contract'
import type { Storage } from '../../storage/storage.ts'
import { answer, type Bind } from '../route.ts'

const NOT_CACHED = { 'cache-control': 'no-store' }

export function bindHealth(bind: Bind, probe: Storage['probe']): void {
  let probing: Promise<void> | undefined

  /** One probe answers all who ask meanwhile: anyone may, and each is a write to the database. */
  function shareProbe(): Promise<void> {
    probing ??= probe().finally(() => {
      probing = undefined
    })
    return probing
  }

  bind(endpoints.checkHealth, async () => answer(200, { status: 'ok' }, NOT_CACHED))

  bind(endpoints.checkReadiness, async () => {
    await shareProbe()
    return answer(200, { status: 'ok' }, NOT_CACHED)
  })
}
