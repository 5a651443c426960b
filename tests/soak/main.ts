import { once } from 'node:events'
import { writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { createRandom } from '../../packages/server/src/demo/random.ts'
import { spawnBugle } from '../../packages/server/test-support/run-bugle.ts'
import { temporaryFolder } from '../../packages/server/test-support/temporary-folder.ts'
import { settingsFor, startServer } from '../support/start-server.ts'
import { drawCurves } from './chart.ts'
import { fillDatabase } from './fill.ts'
import { curvesOf, judge } from './judge.ts'
import { applyLoad } from './load.ts'
import { type Sample, takeSample } from './samples.ts'

const SAMPLE_MS = 1_000
/** Limits that are counted but never reached. */
const LIMITS = ['submit', 'project', 'secret', 'anonymous', 'credentials']
  .map((name) => `${name}=9999999`)
  .join(',')

/** `npm run soak -- --minutes 10`: runs everything a server does for a while, and checks that memory and open files do not grow. */
const { values } = parseArgs({
  options: {
    minutes: { type: 'string', default: '10' },
    rate: { type: 'string', default: '150' },
    seed: { type: 'string', default: '1' },
    out: { type: 'string', default: 'soak.svg' },
  },
})
const [minutes, rate, seed] = [values.minutes, values.rate, values.seed].map(Number)
if (!(minutes && minutes > 0) || !(rate && rate > 0) || seed === undefined || !Number.isInteger(seed)) {
  process.stderr.write('soak: --minutes and --rate must be numbers, --seed a whole one\n')
  process.exit(2)
}

using folder = temporaryFolder()
const database = join(folder.path, 'bugle.db')
const receiver = createServer((request, response) => {
  request.resume().on('end', () => response.writeHead(204).end())
}).listen(0, '127.0.0.1')
await once(receiver, 'listening')
const { port } = receiver.address() as AddressInfo
const random = createRandom(seed)
const filled = await fillDatabase(`sqlite:${database}`, random)
await using server = await startServer(database, {
  BUGLE_RATE_LIMITS: LIMITS,
  BUGLE_ALLOW_PRIVATE_WEBHOOKS: '127.0.0.1',
  NODE_OPTIONS: `--expose-gc --import=${new URL('./collect-garbage.mjs', import.meta.url).href}`,
})
await command(['webhook', 'add', '--project', 'demo', '--url', `http://127.0.0.1:${port}/`])

const began = performance.now()
const end = new AbortController()
const samples: Sample[] = []
const load = applyLoad({ ...filled, url: server.url, random, perSecond: rate }, end.signal)
load.catch(() => end.abort())
while (!end.signal.aborted && performance.now() - began < minutes * 60_000) {
  samples.push(await takeSample(server.url, (performance.now() - began) / 1_000))
  await sleep(SAMPLE_MS)
}
end.abort()
const answered = await load
const exit = await server.end('SIGTERM')
receiver.close()

const curves = curvesOf(samples)
writeFileSync(values.out, drawCurves(curves))
const verdicts = curves.map(judge)
process.stdout.write(
  `${answered.toLocaleString('en')} requests in ${minutes} minutes, as expected; curves in ${values.out}\n`,
)
for (const { curve, level, growth, isFlat } of verdicts) {
  process.stdout.write(
    `${curve.name}: ${level.toFixed(1)} ${curve.unit}, grown by ${growth.toFixed(1)}: ${isFlat ? 'flat' : 'GROWING'}\n`,
  )
}
process.exitCode = verdicts.every(({ isFlat }) => isFlat) && exit.code === 0 ? 0 : 1

async function command(args: readonly string[]): Promise<void> {
  const { code, stderr } = await spawnBugle(args, {
    ...settingsFor(database),
    BUGLE_ALLOW_PRIVATE_WEBHOOKS: '127.0.0.1',
  })
  if (code !== 0) throw new Error(stderr)
}
