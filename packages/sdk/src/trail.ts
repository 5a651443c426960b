import { findClient } from './core/api.ts'
import { enableFiles } from './files/browser.ts'
import { scrubStep } from './trail/scrub-step.ts'
import { createSteps, type Steps } from './trail/steps.ts'
import { watchPage } from './trail/watch.ts'

/** The type of the file that a trail is sent as. */
const TRAIL_TYPE = 'application/vnd.bugle.trail+json'

/** The options of `startTrail`. */
export interface TrailOptions {
  /** Removes what must not be sent from each step. Replaces the SDK's own function. If it throws, the step is redacted. */
  readonly scrub?: ((text: string) => string) | undefined
}

/** The trail of the current client. */
let current: { readonly client: unknown; readonly steps: Steps; readonly stop: () => void } | undefined

/**
 * Sends the last 50 steps with each report, as a file: navigation, clicks, warnings and errors of the console, failed and slow
 * requests, and those that the app adds. Call it after `init`. Returns a function that stops it.
 */
export function startTrail({ scrub = scrubStep }: TrailOptions = {}): () => void {
  const client = findClient()
  if (!client) return () => {}
  if (current?.client === client) return current.stop
  current?.stop()
  enableFiles()
  const { _core: core, _capture: capture } = client
  const steps = createSteps(scrub, Date.now)
  const own = new URL(`${core._options.endpoint}/`, location.href).href
  const stopWatching = watchPage(steps.add, (address) => address.startsWith(own))

  const readTrail = () => ({
    name: 'trail.json',
    contentType: TRAIL_TYPE,
    content: JSON.stringify({ version: 1, steps: steps.read() }),
  })
  const captureWithTrail: typeof capture = ({ trail, attachments = [], ...draft }, isFatal, id) =>
    capture(
      { ...draft, attachments: trail === false ? attachments : [...attachments, readTrail()] },
      isFatal,
      id,
    )
  client._capture = captureWithTrail
  client._trail = readTrail

  function stop(): void {
    stopWatching()
    if (current?.stop === stop) current = undefined
    if (client?._capture === captureWithTrail) client._capture = capture
    if (client?._trail === readTrail) client._trail = undefined
  }
  current = { client, steps, stop }
  return stop
}

/** Adds a step of the app to the trail. Does nothing before `startTrail`. */
export function addStep(text: string): void {
  current?.steps.add('app', String(text))
}
