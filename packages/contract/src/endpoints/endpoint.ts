import type { Static, TSchema } from 'typebox'
import type { ErrorCode } from '../vocabulary/error-codes.ts'
import type { Scope } from '../vocabulary/scopes.ts'

/** Who may call an endpoint. */
export interface Access {
  /** The scope a secret key needs; `null` when any key of the project will do. */
  readonly scope: Scope | null
  /** Whether a public key may call it. */
  readonly publicKey: boolean
  /** Whether anyone may call it for a public project, with or without a key. */
  readonly publicProject: boolean
}

/** An operation that is to go, at least twelve months ahead. */
export interface Deprecation {
  /** Since when it should not be used any more (RFC 9745), as a date. */
  readonly since: string
  /** When it may stop working (RFC 8594), as a date. */
  readonly sunset: string
  /** What to use instead: a path of the API. */
  readonly successor: string
}

export interface Answer {
  readonly description: string
  /** Absent for an answer without a body. */
  readonly schema?: TSchema
  /** The media type of a text that is answered instead of JSON. */
  readonly mediaType?: string
  /** The media type of a stream that may be answered instead. */
  readonly stream?: string
  /** Header name → what it says. */
  readonly headers?: Readonly<Record<string, string>>
}

/** One operation of the API as data: the server binds it, the client calls it, OpenAPI describes it. */
export interface Endpoint {
  readonly name: string
  readonly method: 'GET' | 'POST' | 'PATCH' | 'DELETE'
  readonly path: string
  readonly tag: 'issues' | 'projects' | 'events' | 'webhooks' | 'sdk' | 'session' | 'health'
  readonly summary: string
  readonly description: string
  /**
   * `null`: anyone, without a key. `signed-in`: only a person, by the cookie of their sign-in. `operator`: only
   * the operator, by the token in the setting `BUGLE_METRICS_TOKEN`.
   */
  readonly access: Access | 'signed-in' | 'operator' | null
  readonly params?: TSchema
  readonly query?: TSchema
  readonly body?: TSchema
  /** The size of the largest body that is accepted. Set where there is a body; others are never read. */
  readonly maxBodyBytes?: number
  /** Header name → what it does; or the schema of its value, where there are rules for it. */
  readonly headers?: Readonly<Record<string, string | TSchema>>
  /** How the body is sent; `application/json` unless said otherwise. */
  readonly mediaTypes?: readonly string[]
  /** Set when the operation is to go: answers then carry `Deprecation`, `Sunset` and `Link`. */
  readonly deprecation?: Deprecation
  /** Whether pages of other origins may call it. */
  readonly crossOrigin?: true
  readonly answers: Readonly<Record<number, Answer>>
  /** The problems it answers with, besides those of {@link COMMON_ERRORS}. */
  readonly errors: readonly ErrorCode[]
}

/** Problems that any endpoint may answer with. */
export const COMMON_ERRORS = [
  'bad-request',
  'request-timeout',
  'headers-too-large',
  'rate-limited',
  'internal-error',
  'unavailable',
] as const satisfies readonly ErrorCode[]

export type Params<E extends Endpoint> = E['params'] extends TSchema
  ? Static<E['params']>
  : Record<never, never>
export type Query<E extends Endpoint> = E['query'] extends TSchema ? Static<E['query']> : Record<never, never>
export type Body<E extends Endpoint> = E['body'] extends TSchema ? Static<E['body']> : undefined

/** What a handler of the endpoint may return: one of its statuses with the body that belongs to it. */
export type Reply<E extends Endpoint> = {
  [S in keyof E['answers'] & number]: {
    readonly status: S
    readonly headers?: Readonly<Record<string, string | string[]>>
  } & (E['answers'][S] extends { schema: infer B extends TSchema }
    ? {
        readonly body:
          | Static<B>
          | (E['answers'][S] extends { stream: string } ? AsyncIterable<string> : never)
      }
    : { readonly body?: undefined })
}[keyof E['answers'] & number]

/** Keeps the exact types of an endpoint's parts. */
export function endpoint<const E extends Endpoint>(description: E): E {
  return description
}
