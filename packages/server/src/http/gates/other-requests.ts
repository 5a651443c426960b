import type { FastifyInstance, FastifyReply, FastifyRequest, HTTPMethods } from 'fastify'
import { DomainError } from '../../domain/domain-error.ts'
import type { RateLimit } from './rate-limit.ts'

/** All methods that any route supports. */
const METHODS: readonly HTTPMethods[] = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS']

declare module 'fastify' {
  interface FastifyInstance {
    /** Path → its methods, collected as the routes are bound. */
    readonly servedMethods: ReadonlyMap<string, ReadonlySet<HTTPMethods>>
  }
}

/** Records routes. Call it before the first one is bound. */
export function recordRoutes(app: FastifyInstance): void {
  const served = new Map<string, Set<HTTPMethods>>()
  app.decorate('servedMethods', served)
  app.addHook('onRoute', ({ url, method }) => {
    const methods = served.get(url) ?? new Set()
    for (const one of [method].flat()) methods.add(one)
    served.set(url, methods)
  })
}

/**
 * Responds to requests that no route serves: 405 with the methods that work if the address exists, 404 if it does not.
 * They are counted first, and refused before their body is read, whatever their method is.
 */
export function refuseOtherRequests(app: FastifyInstance, rateLimit: RateLimit): void {
  app.addHook('onRequest', (request, reply, done) => {
    if (!request.is404) return done()
    rateLimit.countUnserved(request, reply)
    const allowed = allowedMethods(app, request)
    if (allowed.length === 0) throw notFound()
    refuseMethod(request, reply, allowed.join(', '))
  })
  // For a route that finds nothing.
  app.setNotFoundHandler(() => {
    throw notFound()
  })
}

function allowedMethods(app: FastifyInstance, { url }: FastifyRequest): readonly HTTPMethods[] {
  const served = METHODS.filter((method) => app.findRoute({ method, url }) !== null)
  return served.length === 0
    ? []
    : METHODS.filter((method) => method === 'OPTIONS' || served.includes(method))
}

function refuseMethod({ method }: FastifyRequest, reply: FastifyReply, allow: string): void {
  reply.header('allow', allow)
  if (method !== 'OPTIONS') {
    throw new DomainError('method-not-allowed', {
      detail: `${method} is not allowed here. Allowed: ${allow}.`,
    })
  }
  reply.code(204).send()
}

function notFound(): DomainError {
  return new DomainError('not-found', {
    detail: 'There is no operation at this address. See /docs for the API.',
  })
}
