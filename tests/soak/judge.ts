import { growthOf, lowsOf, medianOf, type Point } from './growth.ts'
import type { Sample } from './samples.ts'

/** During this time caches fill, code is compiled and the heap reaches its size. */
const WARM_UP_SHARE = 0.4
const STRETCH_SECONDS = 10
const MIB = 2 ** 20

export interface Curve {
  readonly name: string
  readonly unit: string
  readonly points: readonly Point[]
  /** How much it may have grown since the warm-up. */
  readonly tolerance: (level: number) => number
}

export interface Verdict {
  readonly curve: Curve
  readonly level: number
  readonly growth: number
  readonly isFlat: boolean
}

export function curvesOf(samples: readonly Sample[]): readonly Curve[] {
  const curve = (
    name: string,
    unit: string,
    value: (sample: Sample) => number,
    tolerance: Curve['tolerance'],
  ): Curve => ({
    name,
    unit,
    points: samples.map((sample) => ({ seconds: sample.seconds, value: value(sample) })),
    tolerance,
  })
  return [
    curve(
      'memory',
      'MiB',
      ({ residentBytes }) => residentBytes / MIB,
      (level) => Math.max(8, level * 0.05),
    ),
    curve(
      'heap',
      'MiB',
      ({ heapBytes }) => heapBytes / MIB,
      (level) => Math.max(3, level * 0.1),
    ),
    curve(
      'open files',
      '',
      ({ openFiles }) => openFiles,
      () => 4,
    ),
  ]
}

/** Where the warm-up ends, in seconds. */
export function warmUpOf({ points }: Curve): number {
  return (points.at(-1)?.seconds ?? 0) * WARM_UP_SHARE
}

export function judge(curve: Curve): Verdict {
  const after = curve.points.filter(({ seconds }) => seconds >= warmUpOf(curve))
  const lows = lowsOf(after, STRETCH_SECONDS)
  const level = medianOf(lows.map(({ value }) => value))
  const growth = growthOf(lows)
  return { curve, level, growth, isFlat: growth <= curve.tolerance(level) }
}
