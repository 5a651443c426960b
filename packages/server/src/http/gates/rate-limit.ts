import { hash } from 'node:crypto'
import type { Endpoint } from '@bugle/contract'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Clock } from '../../clock.ts'
import { ANONYMOUS, type Caller } from '../../domain/access/access.ts'
import type { Policy, PolicyLevel, RateLimiter, Verdict } from '../../domain/access/rate-limits.ts'
import { WINDOW_SECONDS } from '../../domain/access/token-buckets.ts'
import { DomainError } from '../../domain/domain-error.ts'
import { clientOf } from './client-address.ts'

/** Enforces the rate limits. */
export interface RateLimit {
  /** Counts a request of a known caller; fails with `rate-limited` if there were too many. */
  count(arrival: Arrival, caller: Caller): void
  /** The same for a refused request. */
  countRefused(arrival: Arrival, refusal: unknown): void
  /** Counts a request for a page that shows what anyone may read. */
  countReader(request: FastifyRequest, reply: FastifyReply): void
  /** Counts a request that matches no route. */
  countUnserved(request: FastifyRequest, reply: FastifyReply): void
  /** Counts a request whose caller is only known from its body, such as a sign-in, before the body is read. */
  countStranger(request: FastifyRequest, reply: FastifyReply, deviceToken: string | undefined): void
}

export interface Arrival {
  readonly request: FastifyRequest
  readonly reply: FastifyReply
  readonly endpoint: Endpoint
}

/** Allows everything. */
export const NO_RATE_LIMIT: RateLimit = {
  count() {},
  countRefused() {},
  countReader() {},
  countUnserved() {},
  countStranger() {},
}

interface Dependencies {
  readonly limiter: RateLimiter
  readonly clock: Clock
}

export function createRateLimit({ limiter, clock }: Dependencies): RateLimit {
  /** Refused callers count as anonymous. */
  function judgeRefused({ code }: DomainError, address: string): Verdict {
    if (code === 'invalid-credentials') return limiter.judgeFailure(address, clock())
    return limiter.judge({ caller: ANONYMOUS, address, isSubmission: false }, clock())
  }

  return {
    count({ request, reply, endpoint }, caller) {
      const isSubmission = endpoint.isSubmission === true || endpoint.countsAsSubmission === true
      const isUpload = endpoint.hasRawBody === true && endpoint.method === 'PUT'
      const subject = { caller, address: clientOf(request.ip), isSubmission, isUpload }
      settle(reply, limiter.judge(subject, clock()))
    },
    countRefused({ request, reply }, refusal) {
      if (refusal instanceof DomainError) settle(reply, judgeRefused(refusal, clientOf(request.ip)))
    },
    countReader({ ip }, reply) {
      const subject = { caller: ANONYMOUS, address: clientOf(ip), isSubmission: false }
      settle(reply, limiter.judge(subject, clock()))
    },
    countUnserved({ ip }, reply) {
      settle(reply, limiter.judgeStranger(['unserved', clientOf(ip)], clock()))
    },
    countStranger({ ip }, reply, deviceToken) {
      const device = deviceToken === undefined ? [] : [hash('sha256', deviceToken, 'base64url')]
      settle(reply, limiter.judgeStranger(['sign-in', clientOf(ip), ...device], clock()))
    },
  }
}

/** Sets the rate limit headers, and fails if a limit was exceeded. */
function settle(reply: FastifyReply, verdict: Verdict): void {
  writeHeaders(reply, verdict)
  if (verdict.exceeded === undefined) return
  const { policy, quota } = verdict.exceeded
  throw new DomainError('rate-limited', {
    detail: `${LIMITS_IN_WORDS[policy](quota)} Try again in ${secondsToWait(verdict.exceeded)} s.`,
  })
}

/** `Retry-After` is the contract. The others are hints, in the format of an Internet draft that may still change. */
function writeHeaders(reply: FastifyReply, { levels, exceeded }: Verdict): void {
  const policies = levels.map(({ policy, quota }) => `"${policy}";q=${quota};w=${WINDOW_SECONDS}`)
  const states = levels.map((level) => `"${level.policy}";r=${level.remaining};t=${secondsOf(level)}`)
  reply.header('ratelimit-policy', policies.join(', ')).header('ratelimit', states.join(', '))
  if (exceeded !== undefined) reply.header('retry-after', String(secondsToWait(exceeded)))
}

/** When more is available: the next request if nothing is left, as in `Retry-After`; otherwise the whole quota. */
function secondsOf(level: PolicyLevel): number {
  return level.remaining === 0 ? secondsToWait(level) : Math.ceil(level.fullAfterMs / 1_000)
}

function secondsToWait({ nextAfterMs }: PolicyLevel): number {
  return Math.max(1, Math.ceil(nextAfterMs / 1_000))
}

const LIMITS_IN_WORDS: Readonly<Record<Policy, (quota: number) => string>> = {
  submit: (quota) => `A key may submit ${quota} reports a minute from one address.`,
  project: (quota) => `A project accepts ${quota} reports a minute.`,
  upload: (quota) => `A key may upload ${quota} files a minute from one address.`,
  secret: (quota) => `A secret key or a person may send ${quota} requests a minute.`,
  anonymous: (quota) => `An address may send ${quota} requests a minute without a secret key.`,
  credentials: (quota) => `An address may send ${quota} requests a minute with an invalid key.`,
}
