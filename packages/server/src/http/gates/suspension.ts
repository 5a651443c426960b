import { endpoints } from '@bugle/contract'
import type { FastifyInstance } from 'fastify'
import { requireService, type Service } from '../../domain/readiness.ts'
import { allowCrossOrigin } from './cross-origin.ts'

/** What operators and their tools ask a server that serves no one else. */
const STATUS: ReadonlySet<string | undefined> = new Set([
  endpoints.checkHealth.path,
  endpoints.checkReadiness.path,
  endpoints.readMetrics.path,
])

/** Refuses every other request while this server may not use the database. Pages of other sites can read why, and when to retry. */
export function refuseWhenSuspended(app: FastifyInstance, service: Service): void {
  app.addHook('onRequest', (request, reply, done) => {
    if (service.refusal === null || request.method === 'OPTIONS' || STATUS.has(request.routeOptions.url))
      return done()
    allowCrossOrigin(reply)
    requireService(service)
  })
}
