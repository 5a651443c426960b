import { envelopeOf, sentryPath } from '../../sentry-stage.ts'
import { HIDDEN_VALUES } from '../story.ts'
import type { Probe } from './prober.ts'

/**
 * Events with the fingerprints of hidden issues, and with an id that was used before. Responses do not name the issue, so that every event
 * joins one that both twins know.
 */
function eventsOf(caller: string, known: string): readonly Readonly<Record<string, unknown>>[] {
  const id = Buffer.from(caller.padEnd(16)).toString('hex').slice(0, 32)
  return [
    ...HIDDEN_FINGERPRINTS.flatMap((fingerprint) => [
      { message: 'Probe', fingerprint: [fingerprint] },
      { exception: [{ type: 'Error', value: 'Probe' }], fingerprint: [fingerprint], release: 'a@9.9' },
    ]),
    { message: 'Probe', tags: HIDDEN_VALUES, fingerprint: [known] },
    { message: 'Probe', event_id: id, fingerprint: [known] },
    { message: 'Probe', event_id: id, fingerprint: [known] },
    { message: 'Something else', event_id: id, fingerprint: [known] },
  ]
}

const HIDDEN_FINGERPRINTS = ['shared', 'moved', 'deleted', 'double']

/** How the lane is checked for what Sentry's SDKs send. */
export const SENTRY_PROBES: Readonly<Record<string, Probe>> = {
  async sendEnvelope({ ask, caller, makeIssue, place: { project } }) {
    const known = `envelopes of ${caller}`
    for (const fingerprint of [known, ...HIDDEN_FINGERPRINTS]) await makeIssue({ fingerprint })
    const send = (body: string, path = sentryPath(project)) =>
      ask({ method: 'POST', path, body, headers: { 'content-type': 'application/x-sentry-envelope' } })
    for (const event of eventsOf(`e ${caller}`, known)) {
      const { event_id: id } = event
      await send(envelopeOf(id === undefined ? {} : { event_id: id }, [{ type: 'event' }, event]).toString())
    }
    await send(envelopeOf({}, [{ type: 'transaction' }, {}]).toString())
    await send('no envelope')
    await send('{}', '/api/1/envelope/')
  },

  async storeEvent({ ask, caller, makeIssue, place: { project } }) {
    const known = `events of ${caller}`
    for (const fingerprint of [known, ...HIDDEN_FINGERPRINTS]) await makeIssue({ fingerprint })
    const headers = { 'content-type': 'application/json' }
    for (const event of eventsOf(`s ${caller}`, known))
      await ask({
        method: 'POST',
        path: sentryPath(project, 'store'),
        body: JSON.stringify(event),
        headers,
      })
  },
}
