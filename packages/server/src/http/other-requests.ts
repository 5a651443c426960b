import type { FastifyInstance, HTTPMethods } from 'fastify'
import { DomainError } from '../domain/domain-error.ts'

const METHODS: readonly HTTPMethods[] = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS']

declare module 'fastify' {
  interface FastifyInstance {
    /** Path → the methods it is served for, as the routes were bound. */
    readonly servedMethods: ReadonlyMap<string, ReadonlySet<HTTPMethods>>
  }
  interface FastifyContextConfig {
    /** The route only says that the method does not work here. */
    isRefusal?: true
  }
}

/** Keeps the book of routes. Call it before the first one. */
export function recordRoutes(app: FastifyInstance): void {
  const served = new Map<string, Set<HTTPMethods>>()
  app.decorate('servedMethods', served)
  app.addHook('onRoute', ({ url, method, config }) => {
    if (config?.isRefusal === true) return
    const methods = served.get(url) ?? new Set()
    for (const one of [method].flat()) methods.add(one)
    served.set(url, methods)
  })
}

/** Addresses that do not exist get a problem like everything else. */
export function refuseOtherAddresses(app: FastifyInstance): void {
  app.setNotFoundHandler(async () => {
    throw new DomainError('not-found', {
      detail: 'No operation has this address. The API is described at /docs.',
    })
  })
}

/** Addresses that exist, but not for this method: 405 and which would work. Call it after the last route. */
export function refuseOtherMethods(app: FastifyInstance): void {
  for (const [path, methods] of app.servedMethods) {
    const allow = METHODS.filter((method) => method === 'OPTIONS' || methods.has(method)).join(', ')
    app.route({
      method: METHODS.filter((method) => !methods.has(method)),
      url: path,
      config: { isRefusal: true },
      // Before the body is read: it does not matter any more.
      onRequest: async (request, reply) => {
        reply.header('allow', allow)
        if (request.method === 'OPTIONS') return reply.code(204).send()
        throw new DomainError('method-not-allowed', {
          detail: `${request.method} is not possible here; ${allow} are.`,
        })
      },
      handler: async () => undefined,
    })
  }
}
