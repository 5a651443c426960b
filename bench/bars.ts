import type { Facts } from './facts.ts'
import type { Figures } from './measure.ts'
import {
  DEEP_CURSOR,
  LIST,
  RETRIEVE,
  SDK_CONFIG,
  SEARCH,
  STATISTICS,
  SUBMIT_1,
  SUBMIT_64,
  SUBMIT_256,
  SUGGESTIONS,
  TEAM_PAGE,
  UNCHANGED_LIST,
} from './scenarios.ts'

/** The expected figures: two cores, with the load on the same machine. */

export interface Verdict {
  readonly bar: string
  readonly figure: number
  readonly isMet: boolean
}

interface Bar {
  readonly scenario: string
  readonly what: string
  readonly figure: (figures: Figures) => number
  readonly atLeast?: number
  readonly atMost?: number
}

const throughput = ({ ratios }: Figures) => ratios.throughput
const p99 = ({ p99Ms }: Figures) => p99Ms
const memory = ({ memoryMb }: Figures) => memoryMb

const SQLITE_BARS: readonly Bar[] = [
  { scenario: SUBMIT_64, what: 'throughput to the floor', figure: throughput, atLeast: 0.5 },
  { scenario: SUBMIT_256, what: 'throughput to the floor', figure: throughput, atLeast: 0.5 },
  { scenario: SUBMIT_64, what: 'CPU to the floor', figure: ({ ratios }) => ratios.cpu, atMost: 3.5 },
  { scenario: SUBMIT_64, what: 'p99 ms', figure: p99, atMost: 50 },
  { scenario: SUBMIT_1, what: 'latency to the floor', figure: ({ ratios }) => ratios.latency, atMost: 3 },
  { scenario: RETRIEVE, what: 'throughput to the floor', figure: throughput, atLeast: 0.6 },
  { scenario: SDK_CONFIG, what: 'throughput to the floor', figure: throughput, atLeast: 0.7 },
  { scenario: TEAM_PAGE, what: 'CPU µs', figure: ({ cpuMicros }) => cpuMicros, atMost: 200 },
  { scenario: UNCHANGED_LIST, what: 'throughput to the floor', figure: throughput, atLeast: 0.3 },
  { scenario: SEARCH, what: 'p99 ms', figure: p99, atMost: 30 },
  { scenario: STATISTICS, what: 'p99 ms', figure: p99, atMost: 10 },
  { scenario: SUGGESTIONS, what: 'p99 ms', figure: p99, atMost: 50 },
  { scenario: SUBMIT_256, what: 'memory MB', figure: memory, atMost: 250 },
]
const POSTGRES_BARS: readonly Bar[] = [
  { scenario: SUBMIT_64, what: 'throughput to the floor', figure: throughput, atLeast: 0.25 },
  { scenario: SUGGESTIONS, what: 'p99 ms', figure: p99, atMost: 50 },
]
/** These must not slow down as the number of issues grows. */
const STEADY = [SUBMIT_64, RETRIEVE, LIST, DEEP_CURSOR, TEAM_PAGE]
const LEAST_STEADINESS = 0.85
const MOST_START_MS = 400
const MOST_DISK_BYTES = 1.5 * 1024
const LEAST_BESIDE_READS = 0.75
const MOST_STALL_MS = 50

export function judgeSqlite(figures: readonly Figures[], facts: readonly Facts[]): readonly Verdict[] {
  return [
    ...SQLITE_BARS.flatMap((bar) => judge(bar, figures)),
    ...STEADY.flatMap((scenario) => judgeGrowth(scenario, figures)),
    ...facts.flatMap(judgeFacts),
  ]
}

export function judgePostgres(figures: readonly Figures[]): readonly Verdict[] {
  return POSTGRES_BARS.flatMap((bar) => judge(bar, figures))
}

function judge(
  { scenario, what, figure, atLeast, atMost }: Bar,
  figures: readonly Figures[],
): readonly Verdict[] {
  return figures
    .filter((one) => one.scenario === scenario)
    .map((one) =>
      verdict(`${scenario}, ${countOf(one.size)}: ${what}`, figure(one), {
        ...(atLeast !== undefined && { atLeast }),
        ...(atMost !== undefined && { atMost }),
      }),
    )
}

/** Compared with the floor both times, because the speed of the machine varies. */
function judgeGrowth(scenario: string, figures: readonly Figures[]): readonly Verdict[] {
  const of = figures.filter((one) => one.scenario === scenario).sort((a, b) => a.size - b.size)
  const [small, large] = [of[0], of.at(-1)]
  if (small === undefined || large === undefined || small === large) return []
  const steadiness = large.ratios.throughput / small.ratios.throughput
  const name = `${scenario}: at ${countOf(large.size)} to at ${countOf(small.size)}`
  return [verdict(name, steadiness, { atLeast: LEAST_STEADINESS })]
}

function judgeFacts(facts: Facts): readonly Verdict[] {
  const at = countOf(facts.size)
  return [
    verdict(`start to first answer, ${at}: ms`, facts.startMs, { atMost: MOST_START_MS }),
    verdict(`disk for an issue, ${at}: bytes`, facts.diskBytesPerIssue, { atMost: MOST_DISK_BYTES }),
    verdict(`submit beside reads, ${at}: to alone`, facts.throughputBesideReads, {
      atLeast: LEAST_BESIDE_READS,
    }),
    verdict(`submit beside reads, ${at}: longest stall ms`, facts.longestStallBesideReadsMs, {
      atMost: MOST_STALL_MS,
    }),
  ]
}

function verdict(
  name: string,
  figure: number,
  { atLeast = Number.NEGATIVE_INFINITY, atMost = Number.POSITIVE_INFINITY },
): Verdict {
  const bound = Number.isFinite(atLeast) ? `≥ ${atLeast}` : `≤ ${atMost}`
  return { bar: `${name} ${bound}`, figure, isMet: figure >= atLeast && figure <= atMost }
}

export function countOf(size: number): string {
  return `${size.toLocaleString('en')} issues`
}
