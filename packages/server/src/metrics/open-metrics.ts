import type { Metrics } from './metrics.ts'

/** Collects metrics if there is a token to read them with. Otherwise not even their code is loaded. */
export async function openMetrics(token: string | null): Promise<Metrics> {
  if (token === null) return NO_METRICS
  const { createMetrics } = await import('./metrics.ts')
  return createMetrics()
}

const NO_METRICS: Metrics = {
  answered: () => {},
  refused: () => {},
  committed: () => {},
  attempted: () => {},
  received: () => {},
  render: async () => '',
}
