import { randomBytes } from 'node:crypto'
import {
  type FastifyBaseLogger,
  type FastifyInstance,
  type FastifyReply,
  type FastifyRequest,
  fastify,
  LogController,
} from 'fastify'
import type { Clock } from '../clock.ts'
import type { Callers } from '../domain/access/callers.ts'
import type { Intake } from '../domain/access/intake.ts'
import type { SharedPool } from '../domain/access/shared-pool.ts'
import type { Administration } from '../domain/administration/administration.ts'
import type { AttachmentLimits } from '../domain/attachments/attachment-limits.ts'
import type { Attachments } from '../domain/attachments/attachments.ts'
import type { Events } from '../domain/events/events.ts'
import { createTurns } from '../domain/events/turns.ts'
import type { FaultLog } from '../domain/fault-log.ts'
import type { Issues } from '../domain/issues/issues.ts'
import type { Assignees } from '../domain/people/assignees.ts'
import type { People } from '../domain/people/people.ts'
import type { Catalog } from '../domain/projects/catalog.ts'
import type { Labels } from '../domain/projects/labels.ts'
import type { Projects } from '../domain/projects/projects.ts'
import type { SdkBuilds } from '../domain/projects/sdk-builds.ts'
import type { SdkConfigs } from '../domain/projects/sdk-config.ts'
import type { Stats } from '../domain/projects/stats.ts'
import type { VersionStatistics } from '../domain/projects/version-stats.ts'
import type { Versions } from '../domain/projects/versions.ts'
import type { CheckReadiness, Service } from '../domain/readiness.ts'
import type { KnownIssues } from '../domain/reporters/known-issues.ts'
import type { MyReports } from '../domain/reporters/my-reports.ts'
import type { PollTags } from '../domain/reporters/poll-tags.ts'
import type { PublicPages } from '../domain/reporters/public-pages.ts'
import type { Envelopes } from '../domain/sentry/envelopes.ts'
import type { Deliveries } from '../domain/webhooks/deliveries.ts'
import type { Webhooks } from '../domain/webhooks/webhooks.ts'
import { ANSWER_HEADERS } from './answers/answer-headers.ts'
import type { DeviceCookie } from './answers/device-cookie.ts'
import { createPageLinks } from './answers/page-links.ts'
import { codeOf, createProblemAnswers } from './answers/problem.ts'
import { createRefusalSender } from './answers/send-page.ts'
import type { SessionCookie } from './answers/session-cookie.ts'
import { limitConnections } from './gates/connections.ts'
import { answerPreflights } from './gates/cross-origin.ts'
import { recordRoutes, refuseOtherRequests } from './gates/other-requests.ts'
import type { Patience } from './gates/patience.ts'
import type { RateLimit } from './gates/rate-limit.ts'
import { pathOf, refuseStrangeRequests, STRANGE_REQUESTS_PASS } from './gates/strange-requests.ts'
import { refuseWhenSuspended } from './gates/suspension.ts'
import { trustedProxies } from './gates/trusted-proxies.ts'
import { answerUnreadable } from './gates/unreadable.ts'
import { EMPTY_REQUESTS_END, parseBodies } from './input/parse-body.ts'
import { logRequests } from './log-requests.ts'
import { NO_ROUTE, observeRequests, type RequestObserver } from './observe-requests.ts'
import { openDashboard } from './pages/dashboard-files.ts'
import { isAskedByPerson, renderNotFound } from './pages/not-found-page.ts'
import type { OwnSdk } from './pages/sdk-files.ts'
import { createBind } from './route.ts'
import { bindEvents } from './routes/events.ts'
import { bindAttachments } from './routes/issues/attachments.ts'
import { bindComments } from './routes/issues/comments.ts'
import { bindDuplicates } from './routes/issues/duplicates.ts'
import { bindIssues } from './routes/issues/issues.ts'
import { bindReports } from './routes/issues/reports.ts'
import { bindDashboard } from './routes/pages/dashboard.ts'
import { bindDocuments } from './routes/pages/documents.ts'
import { bindPublicPage } from './routes/pages/public-page.ts'
import { bindReportsPage } from './routes/pages/reports-page.ts'
import { bindSdk } from './routes/pages/sdk.ts'
import { bindSecurityTxt, type SecurityTxtDependencies } from './routes/pages/security-txt.ts'
import { bindPeople } from './routes/people/people.ts'
import { bindSession } from './routes/people/session.ts'
import { bindLabels } from './routes/projects/labels.ts'
import { bindProjects } from './routes/projects/projects.ts'
import { bindSdkConfig } from './routes/projects/sdk-config.ts'
import { bindVersions } from './routes/projects/versions.ts'
import { bindKnownIssues } from './routes/reporters/known-issues.ts'
import { bindMyReports } from './routes/reporters/my-reports.ts'
import { bindSentry } from './routes/sentry.ts'
import { bindLabelSettings } from './routes/settings/labels.ts'
import { bindProfile } from './routes/settings/profile.ts'
import { bindSettings } from './routes/settings/settings.ts'
import { bindHealth } from './routes/status/health.ts'
import { bindMetrics, type MetricsDependencies } from './routes/status/metrics.ts'
import { bindWebhooks } from './routes/webhooks.ts'

/** Equal to the header size limit, so that an id that is too long gets a normal "not found" response. */
const MAX_PARAM_CHARS = 16_384

export interface ServerDependencies {
  readonly catalog: Catalog
  readonly issues: Issues
  readonly attachments: Attachments
  readonly attachmentLimits: AttachmentLimits
  /** What Sentry envelopes in progress hold in memory. */
  readonly texts: SharedPool
  readonly envelopes: Envelopes
  readonly myReports: MyReports
  readonly knownIssues: KnownIssues
  readonly pollTags: PollTags
  readonly publicPages: PublicPages
  readonly projects: Projects
  readonly events: Events
  readonly webhooks: Webhooks
  readonly deliveries: Deliveries
  readonly stats: Stats
  readonly versions: Versions
  readonly versionStats: VersionStatistics
  readonly assignees: Assignees
  readonly labels: Labels
  readonly callers: Callers
  readonly people: People
  readonly administration: Administration
  readonly clock: Clock
  readonly cookie: SessionCookie
  readonly deviceCookie: DeviceCookie
  readonly intake: Intake
  readonly sdkConfigs: SdkConfigs
  readonly ownSdk: OwnSdk
  readonly sdkBuilds: SdkBuilds
  readonly rateLimit: RateLimit
  /** The server's public address, if known. */
  readonly publicUrl: string | null
  /** The proxies whose `X-Forwarded-For` is trusted. */
  readonly trustProxy: false | string
  readonly checkReadiness: CheckReadiness
  readonly service: Service
  /** The folder of the built dashboard, which may not exist yet. */
  readonly dashboardFolder: string
  readonly metrics: Omit<MetricsDependencies, 'connections'>
  /** Signals that the server is about to stop: it still responds, but clients should go elsewhere. */
  readonly closing: AbortSignal
  readonly maxConnections: number
  readonly maxConnectionsPerAddress: number
  readonly observer: RequestObserver
  readonly patience: Patience
  /** `null`: no security contact is configured. */
  readonly securityTxt: SecurityTxtDependencies | null
  readonly faults: FaultLog
  readonly logger: FastifyBaseLogger
}

/** READ FIRST: a request passes the hooks in this order, then one of the routes. */
export function createServer(parts: ServerDependencies): FastifyInstance {
  const { issues, projects, events, webhooks, deliveries, stats, sdkConfigs, trustProxy, logger } = parts
  const { metrics, observer, patience, securityTxt, closing } = parts
  const answerProblem = createProblemAnswers(parts.faults)
  const app = fastify({
    loggerInstance: withoutChildren(logger),
    logController: new LogController({ disableRequestLogging: true }),
    genReqId: requestIds(),
    trustProxy,
    rewriteUrl: pathOf,
    // `limitConnections` limits the time of each request.
    requestTimeout: 0,
    keepAliveTimeout: patience.idleMs,
    connectionTimeout: patience.idleMs,
    http: {
      headersTimeout: patience.headersMs,
      connectionsCheckingInterval: patience.checkMs,
      ...STRANGE_REQUESTS_PASS,
      ...EMPTY_REQUESTS_END,
    },
    // When the server stops, requests in progress are finished and idle connections are closed.
    forceCloseConnections: 'idle',
    // The storage closes last, so that requests on open connections still get a proper response.
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
  // Missing from Node's types: a client that closes its side after its request still gets the response.
  Object.assign(app.server, { httpAllowHalfOpen: true })
  const connections = limitConnections(app.server, {
    max: parts.maxConnections,
    maxPerAddress: parts.maxConnectionsPerAddress,
    isTrustedProxy: trustedProxies(trustProxy),
    patience,
  })
  closing.addEventListener('abort', connections.endWithResponses)
  app.addHook('preClose', () => connections.untilNoneIsNew())
  // Large bodies and pages take turns, so that other requests are served in between.
  const turns = createTurns()
  const dashboard = openDashboard(parts.dashboardFolder)
  const sendRefusal = createRefusalSender(dashboard)
  app.setErrorHandler((error, request, reply) => {
    keepConnection(reply)
    return codeOf(error) === 'not-found' && isAskedByPerson(request)
      ? sendRefusal(reply, 404, renderNotFound())
      : answerProblem(error, request, reply)
  })

  // Synchronous hooks use callbacks: a promise would cost more than most of the hooks themselves.
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
  refuseWhenSuspended(app, parts.service)
  refuseOtherRequests(app, parts.rateLimit)
  parseBodies(app, turns)
  recordRoutes(app)

  const bind = createBind(app, { ...parts, connections, turns })
  const links = createPageLinks(parts.publicUrl)
  bindIssues(bind, issues, links)
  bindReports(bind, issues)
  bindComments(bind, issues)
  bindDuplicates(bind, issues)
  bindKnownIssues(bind, parts.knownIssues)
  bindMyReports(bind, parts.myReports, parts.pollTags)
  bindAttachments(bind, parts.attachments, connections)
  bindProjects(bind, projects, stats)
  bindVersions(bind, parts.versions, parts.versionStats)
  bindPeople(bind, parts.assignees)
  bindLabels(bind, parts.labels)
  bindEvents(bind, { events, links, closing, service: parts.service })
  bindWebhooks(bind, webhooks, deliveries)
  bindSdkConfig(bind, sdkConfigs)
  bindSentry(bind, { ...parts, connections, turns })
  bindSession(bind, parts)
  bindProfile(bind, parts.people)
  bindSettings(bind, parts.administration, parts.publicUrl)
  bindLabelSettings(bind, parts.administration.labels)
  bindHealth(bind, parts.checkReadiness, closing)
  bindMetrics(bind, { ...metrics, connections })
  bindDocuments(app, { dashboard, publicUrl: parts.publicUrl })
  bindDashboard(app, dashboard)
  bindSdk(app, parts)
  bindReportsPage(app)
  bindPublicPage(app, { ...parts, dashboard })
  if (securityTxt !== null) bindSecurityTxt(app, securityTxt)
  answerPreflights(app)
  return app
}

/**
 * The framework closes the connection of a refused body while the rest still arrives. The reset can overtake the response: a proxy
 * would answer 502. So the rest is read and discarded, for as long as `limitConnections` allows, unless either side ends the connection.
 */
function keepConnection(reply: FastifyReply): void {
  const { raw } = reply
  if (reply.hasHeader('connection') && raw.shouldKeepAlive && !raw.hasHeader('connection'))
    reply.header('connection', 'keep-alive')
}

/**
 * Requests are validated against the contract's schemas by our own code. Without this setting, the framework would load
 * its own compilers at every start.
 */
const NO_SCHEMAS = { compilersFactory: { buildValidator: refuseSchemas, buildSerializer: refuseSchemas } }

function refuseSchemas(): never {
  throw new TypeError('schemas are not for the framework')
}

/** One logger for all requests: a child logger per request costs more than it saves. */
function withoutChildren(logger: FastifyBaseLogger): FastifyBaseLogger {
  const shared: FastifyBaseLogger = Object.create(logger)
  return Object.assign(shared, { child: () => shared })
}

/** Sets the headers that every response has. */
function signAnswer(request: FastifyRequest, reply: FastifyReply): void {
  reply.headers(ANSWER_HEADERS).header('x-request-id', request.id)
}

/** Generates ids of `req_` and twelve characters: seven for the process, five for a counter. */
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
