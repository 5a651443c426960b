import type { Config } from '../../config.ts'
import type { WriteRates } from '../../storage/inspection.ts'
import { type Finding, ok, warning } from './findings.ts'

const CHECK = 'durable writes'
/** Half of what the disk sustains if no two reports share a commit; the rest is for everything else. */
const SHARE = 0.5
const LEAST_PROJECT_LIMIT = 60
/** The highest that can be set. */
const MOST_PROJECT_LIMIT = 9_999_999
/** A disk with fewer writes per second is overloaded. */
const SLOW_PER_SECOND = 20

export function checkWrites(rates: WriteRates, { rateLimits }: Pick<Config, 'rateLimits'>): Finding {
  const proposed = proposeProjectLimit(rates)
  const found = `${perSecond(rates.oneByOne)} one by one, ${perSecond(rates.together)} together; BUGLE_RATE_LIMITS up to project=${proposed} is safe`
  if (rates.oneByOne < SLOW_PER_SECOND)
    return warning(CHECK, found, 'the disk is very slow or busy: use a faster one')
  if (rateLimits !== null && rateLimits.project / 60 > rates.together) {
    const advice = `set BUGLE_RATE_LIMITS=project=${proposed}, or reports will be refused with 503 before the limit is reached`
    return warning(CHECK, `${found}; it is set to ${rateLimits.project}`, advice)
  }
  return ok(CHECK, found)
}

/** A limit that the disk can sustain, in submissions per minute to one project. */
function proposeProjectLimit({ oneByOne }: WriteRates): number {
  const proposed = roundTo2Digits(oneByOne * 60 * SHARE)
  return Math.min(MOST_PROJECT_LIMIT, Math.max(LEAST_PROJECT_LIMIT, proposed))
}

function perSecond(rate: number): string {
  return `${Math.round(rate).toLocaleString('en')} a second`
}

function roundTo2Digits(number: number): number {
  return Number(number.toPrecision(2))
}
