/** `npm run test:faults` is the long form; `npm test` has a short one. */
export const IS_LONG = process.env['BUGLE_FAULTS'] === 'long'

/** The same seed gives the same reports at the same times. */
export const SEED = Number(process.env['BUGLE_FAULTS_SEED'] ?? 1)

export function rounds({ short, long }: { readonly short: number; readonly long: number }): number {
  return IS_LONG ? long : short
}

const MINUTES = 60_000

/** The time limit of a test, most of which is spent waiting for processes. */
export const PATIENT = { timeout: (IS_LONG ? 40 : 10) * MINUTES }
