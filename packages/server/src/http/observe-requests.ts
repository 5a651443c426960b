import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { codeOf } from './answers/problem.ts'

/** Observes responses. It never receives values chosen by a client. */
export interface RequestObserver {
  answered(request: {
    readonly method: string
    /** The pattern of the address, as in `/v1/issues/:id`. */
    readonly route: string
    readonly status: number
    readonly seconds: number
  }): void
  /** A response was a problem with this code. */
  refused(route: string, code: string): void
}

/** The route of requests that match no address or are malformed. */
export const NO_ROUTE = 'none'

/** Notifies the observer of every response. */
export function observeRequests(app: FastifyInstance, observer: RequestObserver): void {
  app.addHook('onError', async (request, _, error) => {
    // Returns nothing: the next hook would treat it as the error.
    observer.refused(routeOf(request), codeOf(error))
  })
  app.addHook('onResponse', (request, reply, done) => {
    // The duration of a stream is not a response time.
    if (!isStream(reply)) {
      observer.answered({
        method: request.method,
        route: routeOf(request),
        status: reply.statusCode,
        seconds: reply.elapsedTime / 1_000,
      })
    }
    done()
  })
}

function routeOf({ routeOptions }: FastifyRequest): string {
  return routeOptions.url ?? NO_ROUTE
}

function isStream(reply: FastifyReply): boolean {
  return String(reply.getHeader('content-type')).startsWith('text/event-stream')
}
