import type { Static, TSchema } from 'typebox'
import type { ErrorCode } from '../vocabulary/error-codes.ts'
import type { Scope } from '../vocabulary/keys.ts'
import type { Effect } from './effects.ts'

/** Who may call an endpoint. */
export interface Access {
  /** The scope a secret key needs; `null` if any key of the project is enough. */
  readonly scope: Scope | null
  /** Whether a public key may call it. */
  readonly publicKey: boolean
  /** Whether anyone may call it for a public project, with or without a key. */
  readonly publicProject: boolean
}

/** An operation that will be removed, announced at least twelve months ahead. */
export interface Deprecation {
  /** The date from which it should no longer be used (RFC 9745). */
  readonly since: string
  /** The date when it may stop working (RFC 8594). */
  readonly sunset: string
  /** The API path to use instead. */
  readonly successor: string
}

export interface Answer {
  readonly description: string
  /** Absent for a response without a body. */
  readonly schema?: TSchema
  /** The media type of a text response that replaces JSON. */
  readonly mediaType?: string
  /** Whether the body is bytes of a media type that depends on the content. */
  readonly isRaw?: true
  /** The media type of a stream that can be requested instead. */
  readonly stream?: string
  /** The meaning of each header, by name. */
  readonly headers?: Readonly<Record<string, string>>
}

/** One operation of the API as data: the server binds it, the client calls it, OpenAPI describes it. */
export interface Endpoint {
  readonly name: string
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
  readonly path: string
  readonly tag:
    | 'issues'
    | 'attachments'
    | 'projects'
    | 'events'
    | 'webhooks'
    | 'sdk'
    | 'my'
    | 'session'
    | 'settings'
    | 'health'
  readonly summary: string
  readonly description: string
  /**
   * `null`: anyone, without a key. `signed-in`: only a person, with a session cookie. `admin`: only a person with this role. `operator`: only
   * the operator, with the token in the setting `BUGLE_METRICS_TOKEN`.
   */
  readonly access: Access | 'signed-in' | 'admin' | 'operator' | null
  /** What needs a recent sign-in, if anything does. */
  readonly effect?: Effect
  readonly params?: TSchema
  readonly query?: TSchema
  readonly body?: TSchema
  /** Whether the body is bytes of any type, which the handler reads as they arrive. */
  readonly hasRawBody?: true
  /** The size limit of the body. Set if there is a body; otherwise no body is read. */
  readonly maxBodyBytes?: number
  /** The content codings that a raw body may have; none by default. */
  readonly encodings?: readonly string[]
  /** Where the key is, if not in `Authorization`. `sentry`: where Sentry's SDKs put it, which may be in the body. */
  readonly keyIn?: 'sentry'
  /** Whether it submits reports: it then has the rate limits of submissions, and every outcome is counted. */
  readonly isSubmission?: true
  /** Whether it has the rate limits of submissions without being one. */
  readonly countsAsSubmission?: true
  /** Whether it needs the secret of a reporter. The server's own page for reporters may call it with any key, whatever the origins of the key. */
  readonly isForReporters?: true
  /** The meaning of each header, by name, or the schema of its value if it has rules. */
  readonly headers?: Readonly<Record<string, string | TSchema>>
  /** The media types of the body; `application/json` by default. */
  readonly mediaTypes?: readonly string[]
  /** Set if the operation will be removed. Responses then have `Deprecation`, `Sunset` and `Link` headers. */
  readonly deprecation?: Deprecation
  /** Whether pages of other origins may call it. */
  readonly crossOrigin?: true
  readonly answers: Readonly<Record<number, Answer>>
  /** The problems it responds with, in addition to {@link COMMON_ERRORS} and that of its effect. */
  readonly errors: readonly ErrorCode[]
}

/** Problems that any endpoint may respond with. */
export const COMMON_ERRORS = [
  'bad-request',
  'request-timeout',
  'headers-too-large',
  'rate-limited',
  'internal-error',
  'unavailable',
] as const satisfies readonly ErrorCode[]

/** Every code that an endpoint may respond with, its own first. */
export function errorsOf({ errors, effect }: Endpoint): readonly ErrorCode[] {
  return [
    ...errors,
    ...(effect === undefined ? [] : (['recent-sign-in-required'] as const)),
    ...COMMON_ERRORS,
  ]
}

export type Params<E extends Endpoint> = E['params'] extends TSchema
  ? Static<E['params']>
  : Record<never, never>
export type Query<E extends Endpoint> = E['query'] extends TSchema ? Static<E['query']> : Record<never, never>
export type Body<E extends Endpoint> = E['body'] extends TSchema ? Static<E['body']> : undefined

/** What a handler of the endpoint may return: one of its statuses with the matching body. */
export type Reply<E extends Endpoint> = {
  [S in keyof E['answers'] & number]: {
    readonly status: S
    readonly headers?: Readonly<Record<string, string | string[]>>
  } & (E['answers'][S] extends { isRaw: true }
    ? { readonly body: AsyncIterable<Uint8Array> }
    : E['answers'][S] extends { schema: infer B extends TSchema }
      ? {
          readonly body:
            | Static<B>
            | (E['answers'][S] extends { stream: string } ? AsyncIterable<string> : never)
        }
      : { readonly body?: undefined })
}[keyof E['answers'] & number]

/** Preserves the exact types of an endpoint's properties. */
export function endpoint<const E extends Endpoint>(description: E): E {
  return description
}
