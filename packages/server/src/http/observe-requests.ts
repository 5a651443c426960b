import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { codeOf } from './answers/problem.ts'

/** Is told what became of requests. Nothing that it is told was made up by a stranger. */
export interface RequestObserver {
  answered(request: {
    readonly method: string
    /** The pattern of the address, as in `/v1/issues/:id`. */
    readonly route: string
    readonly status: number
    readonly seconds: number
  }): void
  /** An answer was a problem with this code. */
  refused(route: string, code: string): void
}

/** Where a request belongs that fits no address, or that never became one. */
export const NO_ROUTE = 'none'

/** Tells the observer of every answer. */
export function observeRequests(app: FastifyInstance, observer: RequestObserver): void {
  app.addHook('onError', async (request, _, error) => {
    // Nothing is returned: the next hook would take it for the error.
    observer.refused(routeOf(request), codeOf(error))
  })
  app.addHook('onResponse', (request, reply, done) => {
    // How long a stream was followed says nothing about how quickly it was answered.
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
