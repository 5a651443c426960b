import type { Verdict } from './bars.ts'
import type { Figures } from './measure.ts'

const COLUMNS: readonly (readonly [title: string, value: (figures: Figures) => string])[] = [
  ['scenario', ({ scenario }) => scenario],
  ['issues', ({ size }) => size.toLocaleString('en')],
  ['req/s', ({ throughput }) => throughput.toFixed(0)],
  ['p50 ms', ({ p50Ms }) => p50Ms.toFixed(2)],
  ['p99 ms', ({ p99Ms }) => p99Ms.toFixed(2)],
  ['CPU µs', ({ cpuMicros }) => cpuMicros.toFixed(0)],
  ['memory MB', ({ memoryMb }) => memoryMb.toFixed(0)],
  ['floor req/s', ({ floor }) => floor.throughput.toFixed(0)],
  ['floor CPU µs', ({ floor }) => floor.cpuMicros.toFixed(0)],
  ['req/s to floor', ({ ratios }) => ratios.throughput.toFixed(2)],
  ['CPU to floor', ({ ratios }) => ratios.cpu.toFixed(2)],
]

/** The figures as a Markdown table, which is also readable in a terminal. */
export function tableOf(figures: readonly Figures[]): string {
  const rows = [
    COLUMNS.map(([title]) => title),
    ...figures.map((one) => COLUMNS.map(([, value]) => value(one))),
  ]
  const widths = COLUMNS.map((_, column) => Math.max(...rows.map((row) => row[column]?.length ?? 0)))
  const lines = rows.map((row) => line(row.map((cell, column) => pad(cell, widths[column] ?? 0, column))))
  const rule = line(
    widths.map((width, column) => (column === 0 ? '-'.repeat(width) : `${'-'.repeat(width - 1)}:`)),
  )
  return [lines[0], rule, ...lines.slice(1)].join('\n')
}

export function verdictsText(verdicts: readonly Verdict[]): string {
  return verdicts
    .map(({ bar, figure, isMet }) => `${isMet ? 'met   ' : 'MISSED'} ${bar}: ${figure.toFixed(2)}`)
    .join('\n')
}

function line(cells: readonly string[]): string {
  return `| ${cells.join(' | ')} |`
}

function pad(text: string, width: number, column: number): string {
  return column === 0 ? text.padEnd(width) : text.padStart(width)
}
