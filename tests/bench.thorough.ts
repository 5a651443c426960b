import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { describe, expect, test } from 'vitest'
import { startDriver } from '../bench/driver.ts'
import { runBench } from '../bench/run-bench.ts'
import { SCENARIOS } from '../bench/scenarios.ts'
import { openSqliteDatasets } from '../bench/sqlite-datasets.ts'
import { tableOf } from '../bench/table.ts'
import { temporaryFolder } from '../packages/server/test-support/temporary-folder.ts'

/** Enough to see that everything works; the figures are meaningless. */
const EFFORT = { rounds: 1, roundMs: 60, warmUpMs: 0 }

describe('the bench', { timeout: 600_000 }, () => {
  test('measures every scenario against the floor', async () => {
    using folder = temporaryFolder()
    await using store = await openSqliteDatasets(folder.path)
    // On one server, because starting one takes the most time.
    const scenarios = SCENARIOS.map((scenario) => ({ ...scenario, writes: false }))
    const { figures } = await runBench(store, { sizes: [600], scenarios, effort: EFFORT, withFacts: false })

    expect(figures.map(({ scenario }) => scenario)).toEqual(SCENARIOS.map(({ name }) => name))
    for (const { scenario, throughput, p99Ms, cpuMicros, memoryMb, ratios } of figures) {
      const all = [throughput, p99Ms, cpuMicros, memoryMb, ratios.throughput, ratios.cpu, ratios.latency]
      expect(
        all.every((figure) => figure > 0),
        scenario,
      ).toBe(true)
    }
    const lines = tableOf(figures).split('\n')
    for (const { name } of SCENARIOS)
      expect(lines.filter((line) => line.includes(` ${name} `))).toHaveLength(1)
  })

  test('fails on an invalid response', async () => {
    const server = createServer((_, response) => response.writeHead(503, { 'content-length': 4 }).end('full'))
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    await using driver = startDriver()
    const { port } = server.address() as AddressInfo
    const requests = ['GET / HTTP/1.1\r\nHost: localhost\r\n\r\n']
    const job = { port, connections: 2, durationMs: 1_000, requests, status: '2xx' } as const
    await expect(driver.run(job)).rejects.toThrow('2xx was expected, the answer was 503: full')
    server.close()
  })
})
