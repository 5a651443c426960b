/** One value at one time. */
export interface Point {
  readonly seconds: number
  readonly value: number
}

/**
 * How much a figure has grown from the first to the last point: the median of the slopes between any two
 * points (Theil–Sen), which is robust against outliers.
 */
export function growthOf(points: readonly Point[]): number {
  const slopes = points.flatMap((one, index) =>
    points.slice(index + 1).map((other) => (other.value - one.value) / (other.seconds - one.seconds)),
  )
  const span = (points.at(-1)?.seconds ?? 0) - (points[0]?.seconds ?? 0)
  return slopes.length === 0 ? 0 : medianOf(slopes) * span
}

/** The lowest point of each interval: for memory, what is left after a collection. */
export function lowsOf(points: readonly Point[], stretchSeconds: number): readonly Point[] {
  const lows = new Map<number, Point>()
  for (const point of points) {
    const stretch = Math.floor(point.seconds / stretchSeconds)
    const low = lows.get(stretch)
    if (low === undefined || point.value < low.value) lows.set(stretch, point)
  }
  return [...lows.values()]
}

export function medianOf(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b)
  return sorted[Math.floor(sorted.length / 2)] ?? 0
}
