import type { FastifyInstance } from 'fastify'
import { redact } from './redact.ts'

/** Logs a line for every request at level `debug`, without headers, bodies and secrets. */
export function logRequests(app: FastifyInstance): void {
  // Decided once, so that it costs nothing if requests are not logged.
  if (app.log.level !== 'debug' && app.log.level !== 'trace') return
  app.addHook('onResponse', async ({ method, url, id: requestId, log }, reply) => {
    log.debug(
      { requestId, method, url: redact(url), status: reply.statusCode, ms: reply.elapsedTime },
      'answered',
    )
  })
}
