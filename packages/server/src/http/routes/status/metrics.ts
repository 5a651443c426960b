import { endpoints } from '@bugle/contract'
import type { Connections } from '../../gates/connections.ts'
import { requireOperator } from '../../gates/operator.ts'
import { answer, type Bind } from '../../route.ts'

const HEADERS = { 'content-type': 'text/plain; version=0.0.4; charset=utf-8', 'cache-control': 'no-store' }

export interface MetricsDependencies {
  /** `null`: no one may read the metrics. */
  readonly token: string | null
  /** The current metrics. */
  readonly render: (connections: Connections) => Promise<string>
  readonly connections: Connections
}

export function bindMetrics(bind: Bind, { token, render, connections }: MetricsDependencies): void {
  bind(endpoints.readMetrics, async ({ request }) => {
    requireOperator(request, token)
    return answer(200, await render(connections), HEADERS)
  })
}
