/** What kind of step it is. `app`: added by the app. */
export type StepKind = 'navigation' | 'click' | 'console' | 'request' | 'app'

/** Something that happened before a report. */
export interface Step {
  /** The time, in ISO 8601. */
  readonly at: string
  readonly kind: StepKind
  readonly text: string
}

export const MAX_STEPS = 50
const MAX_STEP_CHARS = 512
/** Scrubbing takes longer for long texts. */
const MAX_SCRUBBED_CHARS = 2_048

/** The last steps. Each text is scrubbed when it is added, so that no secret is ever kept. */
export interface Steps {
  add(kind: StepKind, text: string): void
  read(): readonly Step[]
}

export function createSteps(scrub: (text: string) => string, now: () => number): Steps {
  const steps: Step[] = []
  return {
    add(kind, text) {
      let scrubbed = '[redacted]'
      try {
        // Copied, because a part of a text keeps the whole text in memory.
        scrubbed = JSON.parse(
          JSON.stringify(String(scrub(text.slice(0, MAX_SCRUBBED_CHARS))).slice(0, MAX_STEP_CHARS)),
        )
      } catch {
        // A scrubber of the app that fails redacts the whole text.
      }
      steps.push({ at: new Date(now()).toISOString(), kind, text: scrubbed })
      if (steps.length > MAX_STEPS) steps.shift()
    },
    read: () => [...steps],
  }
}
