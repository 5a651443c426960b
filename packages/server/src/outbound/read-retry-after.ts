/** No attempt is delayed longer than the longest delay of the schedule, whatever the receiver requests. */
export const MAX_RETRY_AFTER_SECONDS = 24 * 60 * 60

/** The form that senders must use (RFC 9110, 5.6.7); `Date.parse` alone would accept almost anything. */
const HTTP_DATE = /^[A-Z][a-z]{2}, \d{2} [A-Z][a-z]{2} \d{4} \d{2}:\d{2}:\d{2} GMT$/

/** The delay in a receiver's `Retry-After`; `null` if there is no valid one. */
export function readRetryAfter(header: string | undefined, now: number): number | null {
  const seconds = secondsIn(header?.trim() ?? '', now)
  return Number.isNaN(seconds) ? null : Math.min(Math.max(seconds, 0), MAX_RETRY_AFTER_SECONDS)
}

function secondsIn(text: string, now: number): number {
  if (/^\d+$/.test(text)) return Number(text)
  return HTTP_DATE.test(text) ? Math.ceil((Date.parse(text) - now) / 1_000) : Number.NaN
}
