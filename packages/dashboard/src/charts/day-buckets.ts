import type { Bucket } from './time-chart.tsx'

const DAY_MS = 86_400_000
const DAYS_OF_WEEK = 7
/** With more columns than this, each is a week, because thinner ones cannot be told apart. */
const MOST_DAYS = 92

const FULL = new Intl.DateTimeFormat('en', {
  weekday: 'short',
  day: 'numeric',
  month: 'short',
  timeZone: 'UTC',
})
const SHORT = new Intl.DateTimeFormat('en', { day: 'numeric', month: 'short', timeZone: 'UTC' })

export interface DayBuckets<D> {
  readonly buckets: readonly Bucket[]
  /** The days of each bucket. */
  readonly days: readonly (readonly D[])[]
  readonly isWeekly: boolean
}

/** One bucket per day, or per week if there are many days. Weeks end with the last day, so that the newest one is complete. */
export function bucketDays<D extends { readonly date: string }>(days: readonly D[]): DayBuckets<D> {
  const isWeekly = days.length > MOST_DAYS
  const size = isWeekly ? DAYS_OF_WEEK : 1
  const first = days.length % size
  const groups = [
    ...(first > 0 ? [days.slice(0, first)] : []),
    ...Array.from({ length: Math.floor(days.length / size) }, (_, index) =>
      days.slice(first + index * size, first + (index + 1) * size),
    ),
  ]
  return { buckets: groups.map(nameBucket), days: groups, isWeekly }
}

function nameBucket(days: readonly { readonly date: string }[]): Bucket {
  const from = days[0]?.date ?? ''
  const to = days.at(-1)?.date ?? from
  const name = from === to ? format(FULL, from) : `${format(SHORT, from)} – ${format(SHORT, to)}`
  return { key: from, name, short: format(SHORT, from) }
}

interface Window {
  /** The current time, which is on the last day. */
  readonly until: number
  readonly least: number
  readonly most: number
}

/** The number of timestamps on each day in UTC, starting with the first day that has one, within the window. */
export function countDays(moments: readonly string[], { until, least, most }: Window) {
  const counts = new Map<number, number>()
  for (const moment of moments) {
    const day = Math.floor(Date.parse(moment) / DAY_MS)
    counts.set(day, (counts.get(day) ?? 0) + 1)
  }
  const last = Math.floor(until / DAY_MS)
  const span = last + 1 - Math.min(last, ...[...counts.keys()].filter(Number.isFinite))
  const length = Math.max(least, Math.min(span, most))
  return Array.from({ length }, (_, index) => {
    const day = last + 1 - length + index
    return { date: new Date(day * DAY_MS).toISOString().slice(0, 10), count: counts.get(day) ?? 0 }
  })
}

function format(as: Intl.DateTimeFormat, date: string): string {
  const time = Date.parse(date)
  return Number.isNaN(time) ? date : as.format(time)
}
