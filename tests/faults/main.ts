import { spawnSync } from 'node:child_process'
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { NO_COLOURS } from '../../packages/server/src/cli/terminal/colours.ts'
import { table } from '../../packages/server/src/cli/terminal/tables.ts'
import { ROOT } from '../support/start-process.ts'
import type { Figures } from './figures.ts'

/** `npm run test:faults -- --seed 1`: the fault tests in their long form, and their results. */
const { values } = parseArgs({ options: { seed: { type: 'string', default: '1' } } })
const folder = mkdtempSync(join(tmpdir(), 'bugle-faults-'))
const figuresFile = join(folder, 'figures')
const { status } = spawnSync(
  join(ROOT, 'node_modules', '.bin', 'vitest'),
  ['run', '--config', 'vitest.thorough.config.ts', '--project', 'long', 'tests/faults'],
  {
    cwd: ROOT,
    stdio: 'inherit',
    env: {
      ...process.env,
      BUGLE_FAULTS: 'long',
      BUGLE_FAULTS_SEED: values.seed,
      BUGLE_FAULTS_FIGURES: figuresFile,
    },
  },
)
process.stdout.write(`\nseed ${values.seed}\n\n${figuresTable()}\n`)
rmSync(folder, { recursive: true })
process.exitCode = status ?? 1

function figuresTable(): string {
  const lines = existsSync(figuresFile) ? readFileSync(figuresFile, 'utf8').trim().split('\n') : []
  const figures = lines.map((line) => JSON.parse(line) as Figures)
  const rows = figures.map(({ fault, ...counts }) => [
    fault,
    ...[counts.rounds, counts.acknowledged, counts.lost, counts.doubled].map((count) =>
      count.toLocaleString('en'),
    ),
  ])
  return table(['FAULT', 'ROUNDS', 'ACKNOWLEDGED', 'LOST', 'DOUBLED'], rows, {
    columns: Number.POSITIVE_INFINITY,
    colours: NO_COLOURS,
  })
}
