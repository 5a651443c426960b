import { parseArgs } from 'node:util'
import { fuzzServer } from './fuzz-server.ts'

/** `npm run fuzz -- --requests 200000 --seed 1`: sends that many requests to a server of its own, and says what came of them. */
const { values } = parseArgs({ options: { requests: { type: 'string' }, seed: { type: 'string' } } })
const requests = Number(values.requests ?? 20_000)
const seed = Number(values.seed ?? Date.now() % 2 ** 31)
if (!Number.isInteger(requests) || requests < 1 || !Number.isInteger(seed)) {
  process.stderr.write('fuzz: --requests and --seed must be whole numbers\n')
  process.exit(2)
}

const began = performance.now()
process.stdout.write(`seed ${seed}\n`)
const report = await fuzzServer({
  requests,
  seed,
  onProgress: (sent) => {
    if (sent % 10_000 === 0) process.stdout.write(`${sent} requests after ${seconds()} s\n`)
  },
})
for (const [outcome, count] of [...report.outcomes].toSorted(([one], [other]) => one.localeCompare(other)))
  process.stdout.write(`${String(count).padStart(8)}  ${outcome}\n`)
process.stdout.write(
  `${report.sent} requests in ${seconds()} s: ${report.accepted} accepted, ${report.refused} refused, ${report.mangled} mangled; every answer as documented, nothing written by a refused one\n`,
)

function seconds(): number {
  return Math.round((performance.now() - began) / 1_000)
}
