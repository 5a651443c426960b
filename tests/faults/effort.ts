/** `npm run test:faults` is the long form; `npm test` has a short one. */
export const IS_LONG = process.env['BUGLE_FAULTS'] === 'long'

/** The same seed, the same reports and the same moments. */
export const SEED = Number(process.env['BUGLE_FAULTS_SEED'] ?? 1)

export function rounds({ short, long }: { readonly short: number; readonly long: number }): number {
  return IS_LONG ? long : short
}

const MINUTES = 60_000

/** How long a test may take, of which most is waiting for processes. */
export const PATIENT = { timeout: IS_LONG ? 20 * MINUTES : MINUTES }
