/** The result of one check. Only a problem makes the command fail. */
export interface Finding {
  readonly check: string
  readonly verdict: 'ok' | 'warning' | 'problem'
  readonly found: string
  /** What to do; `null` if there is nothing to do. */
  readonly advice: string | null
}

export function ok(check: string, found: string): Finding {
  return { check, verdict: 'ok', found, advice: null }
}

export function warning(check: string, found: string, advice: string): Finding {
  return { check, verdict: 'warning', found, advice }
}

export function problem(check: string, found: string, advice: string): Finding {
  return { check, verdict: 'problem', found, advice }
}

/** For people, as in 3 hours. */
export function durationText(milliseconds: number): string {
  const [unit, length] = UNITS.find(([, each]) => milliseconds >= 2 * each) ?? SECOND
  return `${Math.floor(milliseconds / length).toLocaleString('en')} ${unit}`
}

const SECOND = ['seconds', 1_000] as const
const UNITS = [['days', 86_400_000], ['hours', 3_600_000], ['minutes', 60_000], SECOND] as const
