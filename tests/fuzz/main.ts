import { parseArgs } from 'node:util'
import { DATABASE_KINDS } from './database.ts'
import { fuzzServer } from './fuzz-server.ts'

/** `npm run fuzz -- --database postgres --requests 200000 --seed 1`: sends that many requests to its own server, and prints the results. */
const { values } = parseArgs({
  options: { database: { type: 'string' }, requests: { type: 'string' }, seed: { type: 'string' } },
})
const database = DATABASE_KINDS.find((kind) => kind === (values.database ?? 'sqlite'))
const requests = Number(values.requests ?? 20_000)
const seed = Number(values.seed ?? Date.now() % 2 ** 31)
if (database === undefined) {
  process.stderr.write(`fuzz: --database must be one of ${DATABASE_KINDS.join(', ')}\n`)
  process.exit(2)
}
if (!Number.isInteger(requests) || requests < 1 || !Number.isInteger(seed)) {
  process.stderr.write('fuzz: --requests and --seed must be whole numbers\n')
  process.exit(2)
}

const began = performance.now()
process.stdout.write(`${database}, seed ${seed}\n`)
const report = await fuzzServer(database, {
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
