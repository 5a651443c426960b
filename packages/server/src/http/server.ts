import { randomBytes } from 'node:crypto'
import {
  type FastifyBaseLogger,
  type FastifyInstance,
  type FastifyReply,
  type FastifyRequest,
  fastify,
  LogController,
} from 'fastify'
import type { Callers } from '../domain/access/callers.ts'
import type { Intake } from '../domain/access/intake.ts'
import type { Events } from '../domain/events/events.ts'
import { createTurns } from '../domain/events/turns.ts'
import type { Issues } from '../domain/issues/issues.ts'
import type { People } from '../domain/people/people.ts'
import type { Catalog } from '../domain/projects/catalog.ts'
import type { Projects } from '../domain/projects/projects.ts'
import type { SdkConfigs } from '../domain/projects/sdk-config.ts'
import type { Stats } from '../domain/projects/stats.ts'
import type { CheckReadiness } from '../domain/readiness.ts'
import type { Deliveries } from '../domain/webhooks/deliveries.ts'
import type { Webhooks } from '../domain/webhooks/webhooks.ts'
import { ANSWER_HEADERS } from './answers/answer-headers.ts'
import type { DeviceCookie } from './answers/device-cookie.ts'
import { createPageLinks } from './answers/page-links.ts'
import { answerProblem, codeOf } from './answers/problem.ts'
import { createPageSender } from './answers/send-page.ts'
import type { SessionCookie } from './answers/session-cookie.ts'
import { limitConnections } from './gates/connections.ts'
import { answerPreflights } from './gates/cross-origin.ts'
import { recordRoutes, refuseOtherRequests } from './gates/other-requests.ts'
import type { Patience } from './gates/patience.ts'
import type { RateLimit } from './gates/rate-limit.ts'
import { pathOf, refuseStrangeRequests, STRANGE_REQUESTS_PASS } from './gates/strange-requests.ts'
import { trustedProxies } from './gates/trusted-proxies.ts'
import { answerUnreadable } from './gates/unreadable.ts'
import { EMPTY_REQUESTS_END, parseBodies } from './input/parse-body.ts'
import { logRequests } from './log-requests.ts'
import { NO_ROUTE, observeRequests, type RequestObserver } from './observe-requests.ts'
import { openDashboard } from './pages/dashboard-files.ts'
import { isAskedByPerson, renderNotFound } from './pages/not-found-page.ts'
import { createBind } from './route.ts'
import { bindDashboard } from './routes/dashboard.ts'
import { bindDocuments } from './routes/documents.ts'
import { bindEvents } from './routes/events.ts'
import { bindHealth } from './routes/health.ts'
import { bindIssues } from './routes/issues.ts'
import { bindMetrics, type MetricsDependencies } from './routes/metrics.ts'
import { bindProjects } from './routes/projects.ts'
import { bindSdkConfig } from './routes/sdk-config.ts'
import { bindSecurityTxt, type SecurityTxtDependencies } from './routes/security-txt.ts'
import { bindSession } from './routes/session.ts'
import { bindWebhooks } from './routes/webhooks.ts'

/** As long as headers may be: what is too long for an id is one that does not exist. */
const MAX_PARAM_CHARS = 16_384

export interface ServerDependencies {
  readonly catalog: Catalog
  readonly issues: Issues
  readonly projects: Projects
  readonly events: Events
  readonly webhooks: Webhooks
  readonly deliveries: Deliveries
  readonly stats: Stats
  readonly callers: Callers
  readonly people: People
  readonly cookie: SessionCookie
  readonly deviceCookie: DeviceCookie
  readonly intake: Intake
  readonly sdkConfigs: SdkConfigs
  readonly rateLimit: RateLimit
  /** Where clients reach the server, if that is known. */
  readonly publicUrl: string | null
  /** The proxies whose word counts on where a request comes from. */
  readonly trustProxy: false | string
  readonly checkReadiness: CheckReadiness
  /** Where the built dashboard is, or will be. */
  readonly dashboardFolder: string
  readonly metrics: Omit<MetricsDependencies, 'connections'>
  readonly maxConnections: number
  readonly maxConnectionsPerAddress: number
  readonly observer: RequestObserver
  readonly patience: Patience
  /** `null`: nobody has said whom to tell of a hole. */
  readonly securityTxt: SecurityTxtDependencies | null
  readonly logger: FastifyBaseLogger
}

/** READ FIRST: a request passes the hooks in this order, then one of the routes. */
export function createServer(parts: ServerDependencies): FastifyInstance {
  const { issues, projects, events, webhooks, deliveries, stats, sdkConfigs, trustProxy, logger } = parts
  const { metrics, observer, patience, securityTxt } = parts
  const app = fastify({
    loggerInstance: withoutChildren(logger),
    logController: new LogController({ disableRequestLogging: true }),
    genReqId: requestIds(),
    trustProxy,
    rewriteUrl: pathOf,
    requestTimeout: patience.requestMs,
    keepAliveTimeout: patience.idleMs,
    connectionTimeout: patience.idleMs,
    http: {
      headersTimeout: patience.headersMs,
      connectionsCheckingInterval: patience.checkMs,
      ...STRANGE_REQUESTS_PASS,
      ...EMPTY_REQUESTS_END,
    },
    // What is under way is finished when the server stops; idle connections are closed.
    forceCloseConnections: 'idle',
    // The storage closes last, so what still arrives on open connections is answered properly.
    return503OnClosing: false,
    schemaController: NO_SCHEMAS,
    clientErrorHandler: (error, socket) =>
      connections.afterAnswers(socket, () => {
        const code = answerUnreadable(error, socket)
        if (code !== undefined) observer.refused(NO_ROUTE, code)
      }),
    frameworkErrors: (error, request, reply) => {
      observer.refused(NO_ROUTE, codeOf(error))
      signAnswer(request, reply)
      answerProblem(error, request, reply)
    },
    routerOptions: { ignoreTrailingSlash: false, maxParamLength: MAX_PARAM_CHARS },
  })
  const connections = limitConnections(app.server, {
    max: parts.maxConnections,
    maxPerAddress: parts.maxConnectionsPerAddress,
    isTrustedProxy: trustedProxies(trustProxy),
    patience,
  })
  // Large bodies and pages take turns, so that other requests are served between many of them.
  const turns = createTurns()
  const dashboard = openDashboard(parts.dashboardFolder)
  const pages = createPageSender(dashboard)
  app.setErrorHandler((error, request, reply) =>
    codeOf(error) === 'not-found' && isAskedByPerson(request)
      ? pages.sendRefusal(reply, 404, renderNotFound())
      : answerProblem(error, request, reply),
  )

  // Hooks that wait for nothing are called back, not awaited: a promise costs more than what most of them do.
  app.addHook('onRequest', (request, reply, done) => {
    signAnswer(request, reply)
    done()
  })
  if (trustProxy !== false) {
    app.addHook('onRequest', ({ raw, ip }, _, done) => {
      connections.attribute(raw.socket, ip)
      done()
    })
  }
  logRequests(app)
  observeRequests(app, observer)
  refuseStrangeRequests(app)
  refuseOtherRequests(app, parts.rateLimit)
  parseBodies(app, turns)
  recordRoutes(app)

  const bind = createBind(app, { ...parts, connections, turns })
  const links = createPageLinks(parts.publicUrl)
  bindIssues(bind, issues, links)
  bindProjects(bind, projects, stats)
  bindEvents(bind, { events, links, closing: endStreams(app) })
  bindWebhooks(bind, webhooks, deliveries)
  bindSdkConfig(bind, sdkConfigs)
  bindSession(bind, parts)
  bindHealth(bind, parts.checkReadiness)
  bindMetrics(bind, { ...metrics, connections })
  bindDocuments(app, { pages, publicUrl: parts.publicUrl })
  bindDashboard(app, dashboard)
  if (securityTxt !== null) bindSecurityTxt(app, securityTxt)
  answerPreflights(app)
  return app
}

/** The contract's schemas are checked by us. The framework's own compilers, unless it is given others, are loaded at every start. */
const NO_SCHEMAS = { compilersFactory: { buildValidator: refuseSchemas, buildSerializer: refuseSchemas } }

function refuseSchemas(): never {
  throw new TypeError('schemas are not for the framework')
}

/** One logger for all: a child for each request costs more than the few lines that name one. */
function withoutChildren(logger: FastifyBaseLogger): FastifyBaseLogger {
  const shared: FastifyBaseLogger = Object.create(logger)
  return Object.assign(shared, { child: () => shared })
}

/** Streams would hold the server up for ever: the signal tells them that it is closing. */
function endStreams(app: FastifyInstance): AbortSignal {
  const closing = new AbortController()
  app.addHook('preClose', async () => closing.abort())
  return closing.signal
}

/** What every answer carries. */
function signAnswer(request: FastifyRequest, reply: FastifyReply): void {
  reply.headers(ANSWER_HEADERS).header('x-request-id', request.id)
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
