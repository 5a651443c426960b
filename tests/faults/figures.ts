import { appendFileSync } from 'node:fs'
import type { Findings } from './expect-intact.ts'

/** The result of a kind of fault. */
export interface Figures extends Findings {
  readonly fault: string
  readonly rounds: number
}

/** Passes figures to `npm run test:faults`, which prints them at the end. */
export function note(figures: Figures): void {
  const file = process.env['BUGLE_FAULTS_FIGURES']
  if (file) appendFileSync(file, `${JSON.stringify(figures)}\n`)
}
