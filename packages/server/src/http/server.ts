import { randomBytes } from 'node:crypto'
import { MAX_BODY_BYTES } from '@bugle/contract'
import {
  type FastifyBaseLogger,
  type FastifyInstance,
  type FastifyReply,
  type FastifyRequest,
  fastify,
  LogController,
} from 'fastify'
import type { Catalog } from '../domain/catalog.ts'
import type { Deliveries } from '../domain/deliveries.ts'
import type { Events } from '../domain/events.ts'
import type { Intake } from '../domain/intake.ts'
import type { Issues } from '../domain/issues.ts'
import type { KeyUsage } from '../domain/key-usage.ts'
import type { Projects } from '../domain/projects.ts'
import type { SdkConfigs } from '../domain/sdk-config.ts'
import type { Stats } from '../domain/stats.ts'
import type { Webhooks } from '../domain/webhooks.ts'
import type { Storage } from '../storage/storage.ts'
import { VERSION } from '../version.ts'
import { answerPreflights } from './cross-origin.ts'
import { recordRoutes, refuseOtherAddresses, refuseOtherMethods } from './other-requests.ts'
import { parseBodies } from './parse-body.ts'
import { answerProblem } from './problem.ts'
import type { RateLimit } from './rate-limit.ts'
import { createBind } from './route.ts'
import { bindDocuments } from './routes/documents.ts'
import { bindEvents } from './routes/events.ts'
import { bindHealth } from './routes/health.ts'
import { bindIssues } from './routes/issues.ts'
import { bindProjects } from './routes/projects.ts'
import { bindSdkConfig } from './routes/sdk-config.ts'
import { bindWebhooks } from './routes/webhooks.ts'
import { answerUnreadable } from './unreadable.ts'

const REQUEST_TIMEOUT_MS = 30_000
const HEADERS_TIMEOUT_MS = 15_000
/** Longer than the usual 60 s of proxies, so that they and not we end an idle connection. */
const KEEP_ALIVE_TIMEOUT_MS = 72_000

export interface ServerParts {
  readonly catalog: Catalog
  readonly issues: Issues
  readonly projects: Projects
  readonly events: Events
  readonly webhooks: Webhooks
  readonly deliveries: Deliveries
  readonly stats: Stats
  readonly keyUsage: KeyUsage
  readonly intake: Intake
  readonly sdkConfigs: SdkConfigs
  readonly rateLimit: RateLimit
  /** The proxies whose word counts on where a request comes from. */
  readonly trustProxy: false | string
  readonly probe: Storage['probe']
  readonly logger: FastifyBaseLogger
}

/** READ FIRST: a request passes the hooks in this order, then one of the routes. */
export function createServer(parts: ServerParts): FastifyInstance {
  const { issues, projects, events, webhooks, deliveries, stats, sdkConfigs, trustProxy, probe, logger } =
    parts
  const app = fastify({
    loggerInstance: logger,
    logController: new LogController({ disableRequestLogging: true }),
    // One logger for all: a child for each request costs more than the few lines that name one.
    childLoggerFactory: (parent) => parent,
    genReqId: requestIds(),
    trustProxy,
    bodyLimit: MAX_BODY_BYTES,
    requestTimeout: REQUEST_TIMEOUT_MS,
    keepAliveTimeout: KEEP_ALIVE_TIMEOUT_MS,
    http: { headersTimeout: HEADERS_TIMEOUT_MS },
    // What is under way is finished when the server stops; idle connections are closed.
    forceCloseConnections: 'idle',
    // The storage closes last, so what still arrives on open connections is answered properly.
    return503OnClosing: false,
    clientErrorHandler: answerUnreadable,
    frameworkErrors: (error, request, reply) => {
      signAnswer(request, reply)
      answerProblem(error, request, reply)
    },
    routerOptions: { ignoreTrailingSlash: false, maxParamLength: 256 },
  })
  app.setErrorHandler(answerProblem)

  app.addHook('onRequest', async (request, reply) => signAnswer(request, reply))
  app.addHook('onResponse', async (request, reply) => {
    const { method, url, id: requestId } = request
    request.log.debug({ requestId, method, url, status: reply.statusCode, ms: reply.elapsedTime }, 'answered')
  })
  parseBodies(app)
  recordRoutes(app)
  refuseOtherAddresses(app)

  const bind = createBind(app, parts)
  bindIssues(bind, issues)
  bindProjects(bind, projects, stats)
  bindEvents(bind, events, endStreams(app))
  bindWebhooks(bind, webhooks, deliveries)
  bindSdkConfig(bind, sdkConfigs)
  bindHealth(bind, probe)
  bindDocuments(app)
  answerPreflights(app)
  refuseOtherMethods(app)
  return app
}

/** Streams would hold the server up for ever: the signal tells them that it is closing. */
function endStreams(app: FastifyInstance): AbortSignal {
  const closing = new AbortController()
  app.addHook('preClose', async () => closing.abort())
  return closing.signal
}

/** What every answer carries. */
function signAnswer(request: FastifyRequest, reply: FastifyReply): void {
  reply.headers({ 'bugle-version': VERSION, 'x-request-id': request.id, 'x-content-type-options': 'nosniff' })
}

/** `req_` and twelve characters: seven that name the process, five that count. */
function requestIds(): () => string {
  const process = BigInt(`0x${randomBytes(5).toString('hex')}`)
    .toString(36)
    .padStart(8, '0')
    .slice(-7)
  let count = 0
  return () => {
    count = (count + 1) % 36 ** 5
    return `req_${process}${count.toString(36).padStart(5, '0')}`
  }
}
