import type { FastifyInstance } from 'fastify'
import { redact } from './redact.ts'

/** A line in the log for every request, where that is wanted: without its headers, its body and any secret. */
export function logRequests(app: FastifyInstance): void {
  // Decided once: most servers log no requests, and then they should not cost anything.
  if (app.log.level !== 'debug' && app.log.level !== 'trace') return
  app.addHook('onResponse', async ({ method, url, id: requestId, log }, reply) => {
    log.debug(
      { requestId, method, url: redact(url), status: reply.statusCode, ms: reply.elapsedTime },
      'answered',
    )
  })
}
