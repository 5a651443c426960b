import { parsePrometheus } from '../../packages/server/test-support/parse-prometheus.ts'
import { METRICS_TOKEN } from '../support/start-server.ts'

/** The metrics of the server at one time. */
export interface Sample {
  readonly seconds: number
  readonly residentBytes: number
  readonly heapBytes: number
  readonly openFiles: number
}

/** Requests the server's metrics. */
export async function takeSample(url: string, seconds: number): Promise<Sample> {
  const response = await fetch(`${url}/metrics`, { headers: { authorization: `Bearer ${METRICS_TOKEN}` } })
  if (response.status !== 200) throw new Error(`/metrics was answered with ${response.status}`)
  const families = parsePrometheus(await response.text())
  const figure = (name: string) => {
    const value = families.get(name)?.samples[0]?.value
    if (value === undefined) throw new Error(`/metrics does not tell ${name}`)
    return value
  }
  return {
    seconds,
    residentBytes: figure('process_resident_memory_bytes'),
    heapBytes: figure('nodejs_heap_size_used_bytes'),
    openFiles: figure('process_open_fds'),
  }
}
