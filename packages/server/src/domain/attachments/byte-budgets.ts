import { DomainError } from '../domain-error.ts'

const HOUR_MS = 3_600_000
const HOUR_SECONDS = 3_600
/** The maximum number of clients. Beyond it the least recently used one is dropped, which is lenient once and never too strict. */
const MAX_CLIENTS = 50_000

/** How many bytes each client may still upload: a bucket that refills within an hour. */
export interface ByteBudgets {
  /** Takes the bytes, or throws `rate-limited`. The returned function returns those that were not sent after all. */
  take(client: string, bytes: number, now: number): (sent: number) => void
  /** From now on this process grants only its share of each budget: 1/n for one of n nodes. */
  setShare(share: number): void
}

interface Budget {
  used: number
  at: number
}

export function createByteBudgets(bytesPerHour: number): ByteBudgets {
  const budgets = new Map<string, Budget>()
  let allowed = bytesPerHour

  function find(client: string, now: number): Budget {
    const known = budgets.get(client) ?? { used: 0, at: now }
    const elapsed = Math.max(0, now - known.at)
    const budget = { used: Math.max(0, known.used - (elapsed / HOUR_MS) * allowed), at: now }
    // Written again at the end: the map is in the order of use.
    budgets.delete(client)
    budgets.set(client, budget)
    const [oldest] = budgets.keys()
    if (budgets.size > MAX_CLIENTS && oldest !== undefined) budgets.delete(oldest)
    return budget
  }

  function giveBack(client: string, bytes: number): void {
    const budget = budgets.get(client)
    if (budget !== undefined) budget.used = Math.max(0, budget.used - bytes)
  }

  return {
    take(client, bytes, now) {
      const budget = find(client, now)
      // A file that is larger than the whole budget may be sent when nothing was used.
      const missing = budget.used + Math.min(bytes, allowed) - allowed
      if (missing > 0) {
        throw new DomainError('rate-limited', {
          detail: `A key may upload ${bytesPerHour.toLocaleString('en')} bytes an hour from one address.`,
          retryAfterSeconds: Math.ceil((missing / allowed) * HOUR_SECONDS),
        })
      }
      budget.used += bytes
      return (sent) => giveBack(client, bytes - Math.min(sent, bytes))
    },
    setShare(share) {
      allowed = Math.max(1, Math.floor(bytesPerHour * share))
    },
  }
}
