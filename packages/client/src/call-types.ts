import type { Body, Endpoint, Params, Query, Reply } from '@bugle/contract'

/** The input of a call: the parts that its endpoint has, and the headers it accepts. */
export type CallInput<E extends Endpoint> = ParamsPart<E> &
  QueryPart<E> &
  BodyPart<E> &
  HeadersPart<E> & {
    /** Aborts the call, which then rejects with the signal's reason. */
    readonly signal?: AbortSignal
  }

/** The input, which is optional if all of its parts are. */
export type CallArguments<E extends Endpoint> =
  Nothing extends CallInput<E> ? [input?: CallInput<E>] : [input: CallInput<E>]

/** What a call resolves to: one of the endpoint's success responses, distinguished by status. */
export type Answered<E extends Endpoint> = AnsweredBy<Reply<E>>

/** The response of a paged list; `never` for any other endpoint. */
export type Page<E extends Endpoint> = Extract<Answered<E>['body'], AnyPage>

/** An item of such a list. */
export type Item<E extends Endpoint> = Page<E>['data'][number]

/** An endpoint, if its responses are pages. */
export type Paged<E extends Endpoint> = [Page<E>] extends [never] ? never : E

/** What pages have in common. */
export interface AnyPage {
  readonly data: readonly unknown[]
  readonly pagination: { readonly nextCursor: string | null }
}

type Nothing = Record<never, never>

type ParamsPart<E extends Endpoint> = E extends { readonly params: object }
  ? { readonly params: Params<E> }
  : { readonly params?: never }

type QueryPart<E extends Endpoint> = E extends { readonly query: object }
  ? Nothing extends Query<E>
    ? { readonly query?: Lenient<Query<E>> }
    : { readonly query: Lenient<Query<E>> }
  : { readonly query?: never }

type BodyPart<E extends Endpoint> = E extends { readonly body: object }
  ? { readonly body: Body<E> }
  : { readonly body?: never }

/** Lists may be read-only, and a field that is `undefined` is omitted. */
type Lenient<Q> = {
  readonly [K in keyof Q]: ReadonlyList<Q[K]> | (Nothing extends Pick<Q, K> ? undefined : never)
}
type ReadonlyList<T> = T extends (infer I)[] ? readonly I[] : T

type HeadersPart<E extends Endpoint> = [HeaderName<E>] extends [never]
  ? { readonly headers?: never }
  : { readonly headers?: { readonly [Name in HeaderName<E>]?: string } }

/** Not `If-None-Match`: the browser cache revalidates automatically, so callers never receive an empty response. */
type HeaderName<E extends Endpoint> = E extends { readonly headers: infer H }
  ? Exclude<keyof H, 'If-None-Match'>
  : never

type Success = 200 | 201 | 202 | 204

type AnsweredBy<R> = R extends { readonly status: infer S extends Success }
  ? {
      readonly status: S
      readonly headers: Headers
      // A call reads the whole response, so it is never a stream.
      readonly body: R extends { readonly body: infer B } ? Exclude<B, AsyncIterable<unknown>> : undefined
    }
  : never
