import type { Attachment } from '@bugle/contract'

/** A step of a trail, as the SDK sends it. */
export interface Step {
  readonly at: string
  readonly kind: string
  readonly text: string
}

const TRAIL_TYPE = 'application/vnd.bugle.trail+json'
/** What the SDK sends is much smaller. Anyone can declare a larger file as a trail. */
const MAX_TRAIL_BYTES = 256 * 1_024
const MAX_STEPS = 50
const MAX_TEXT_CHARS = 512

/** Whether a file claims to be a trail, and can be one. */
export function isTrail({ declaredType, state, size }: Attachment): boolean {
  return declaredType === TRAIL_TYPE && state === 'received' && size <= MAX_TRAIL_BYTES
}

/** The steps in a file; none if it is something else. */
export function readSteps(json: string): readonly Step[] {
  const steps = Object(parse(json)).steps
  if (!Array.isArray(steps)) return []
  return steps.slice(-MAX_STEPS).flatMap((step) => {
    const { at, kind, text } = Object(step)
    if (typeof at !== 'string' || Number.isNaN(Date.parse(at)) || typeof text !== 'string') return []
    return [{ at, kind: String(kind), text: text.slice(0, MAX_TEXT_CHARS) }]
  })
}

function parse(json: string): unknown {
  try {
    return JSON.parse(json)
  } catch {
    // Anyone can upload anything as a trail.
    return undefined
  }
}
