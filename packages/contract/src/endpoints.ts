import type { Static, TSchema } from 'typebox'
import { Health } from './schemas/health.ts'
import {
  Issue,
  IssuePage,
  IssueParams,
  IssueQuery,
  IssueRecord,
  IssueSubmission,
  JoinedIssueRecord,
} from './schemas/issues.ts'
import { Project, ProjectParams } from './schemas/projects.ts'
import type { ErrorCode } from './vocabulary/error-codes.ts'
import type { Scope } from './vocabulary/scopes.ts'

/** Who may call an endpoint. */
export interface Access {
  /** The scope a secret key needs; `null` when any key of the project will do. */
  readonly scope: Scope | null
  /** Whether a public key may call it. */
  readonly publicKey: boolean
  /** Whether anyone may call it for a public project, with or without a key. */
  readonly publicProject: boolean
}

export interface Answer {
  readonly description: string
  /** Absent for an answer without a body. */
  readonly schema?: TSchema
  /** Header name → what it says. */
  readonly headers?: Readonly<Record<string, string>>
}

/** One operation of the API as data: the server binds it, the client calls it, OpenAPI describes it. */
export interface Endpoint {
  readonly name: string
  readonly method: 'GET' | 'POST' | 'PATCH' | 'DELETE'
  readonly path: string
  readonly tag: 'issues' | 'projects' | 'health'
  readonly summary: string
  readonly description: string
  /** `null`: anyone, without a key. */
  readonly access: Access | null
  readonly params?: TSchema
  readonly query?: TSchema
  readonly body?: TSchema
  /** Header name → what it does. */
  readonly headers?: Readonly<Record<string, string>>
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
  'internal-error',
  'unavailable',
] as const satisfies readonly ErrorCode[]

const READ_ERRORS = [
  'credentials-required',
  'invalid-credentials',
  'insufficient-scope',
  'secret-key-in-browser',
  'not-found',
] as const satisfies readonly ErrorCode[]

const CONDITIONAL = { 'If-None-Match': 'An `ETag` of an earlier answer: 304 while it still holds.' }
const NOT_MODIFIED: Answer = {
  description: 'What you have is still good.',
  headers: { ETag: 'The tag that matched.' },
}

export const endpoints = {
  submitIssue: endpoint({
    name: 'submitIssue',
    method: 'POST',
    path: '/v1/issues',
    tag: 'issues',
    summary: 'Submit an issue',
    description:
      'Stores a report in the project of the key and answers once it is on disk. `text/plain` with the same JSON and the public key as member `publicKey` is accepted too, so that a closing page can send without a preflight.',
    access: { scope: 'issues:create', publicKey: true, publicProject: false },
    body: IssueSubmission,
    headers: {
      'Idempotency-Key':
        'Names the submission, like the member `submissionId`: 1 to 128 visible ASCII characters, bare or quoted.',
    },
    crossOrigin: true,
    answers: {
      201: {
        description: 'Stored as a new issue.',
        schema: IssueRecord,
        headers: {
          Location: 'Where the issue can be retrieved.',
          'Idempotency-Replayed':
            '`true` when the submission was stored before and this is its first answer again.',
        },
      },
      200: {
        description: 'Counted on the issue with the same fingerprint.',
        schema: JoinedIssueRecord,
        headers: {
          Location: 'Where the issue can be retrieved.',
          'Idempotency-Replayed':
            '`true` when the submission was stored before and this is its first answer again.',
        },
      },
    },
    errors: [
      'malformed-body',
      'invalid-parameter',
      'credentials-required',
      'invalid-credentials',
      'insufficient-scope',
      'origin-not-allowed',
      'secret-key-in-browser',
      'submission-conflict',
      'content-too-large',
      'unsupported-media-type',
      'validation-failed',
    ],
  }),

  listIssues: endpoint({
    name: 'listIssues',
    method: 'GET',
    path: '/v1/issues',
    tag: 'issues',
    summary: 'List issues',
    description:
      'The issues of a project, newest first. Walk them by `page`, or by `cursor` (`pagination.nextCursor`, also in the `Link` header), which stays true while issues arrive.',
    access: { scope: 'issues:read', publicKey: false, publicProject: true },
    query: IssueQuery,
    answers: {
      200: {
        description: 'A page of issues.',
        schema: IssuePage,
        headers: { Link: 'The pages `first`, `prev`, `next` and `last`, as far as they exist (RFC 8288).' },
      },
    },
    errors: [...READ_ERRORS, 'invalid-parameter', 'invalid-cursor', 'page-too-deep'],
  }),

  retrieveIssue: endpoint({
    name: 'retrieveIssue',
    method: 'GET',
    path: '/v1/issues/{id}',
    tag: 'issues',
    summary: 'Retrieve an issue',
    description:
      'An issue in full. Anonymous readers of a public project get `null` for its private members.',
    access: { scope: 'issues:read', publicKey: false, publicProject: true },
    params: IssueParams,
    headers: CONDITIONAL,
    answers: {
      200: {
        description: 'The issue.',
        schema: Issue,
        headers: { ETag: 'Changes with everything that is shown.' },
      },
      304: NOT_MODIFIED,
    },
    errors: READ_ERRORS,
  }),

  getProject: endpoint({
    name: 'getProject',
    method: 'GET',
    path: '/v1/projects/{idOrSlug}',
    tag: 'projects',
    summary: 'Get a project',
    description: 'What a project is called and how it is set up. Projects are made with the `bugle` command.',
    access: { scope: null, publicKey: true, publicProject: true },
    params: ProjectParams,
    headers: CONDITIONAL,
    answers: {
      200: { description: 'The project.', schema: Project, headers: { ETag: 'Changes with the project.' } },
      304: NOT_MODIFIED,
    },
    errors: ['credentials-required', 'invalid-credentials', 'secret-key-in-browser', 'not-found'],
  }),

  checkHealth: endpoint({
    name: 'checkHealth',
    method: 'GET',
    path: '/healthz',
    tag: 'health',
    summary: 'Whether the process lives',
    description: 'Answers as long as the process can answer at all.',
    access: null,
    answers: { 200: { description: 'It lives.', schema: Health } },
    errors: [],
  }),

  checkReadiness: endpoint({
    name: 'checkReadiness',
    method: 'GET',
    path: '/readyz',
    tag: 'health',
    summary: 'Whether it can take reports',
    description: 'Answers 503 while the storage can not be written or the server is stopping.',
    access: null,
    answers: { 200: { description: 'It takes reports.', schema: Health } },
    errors: [],
  }),
}

export type Params<E extends Endpoint> = E['params'] extends TSchema
  ? Static<E['params']>
  : Record<never, never>
export type Query<E extends Endpoint> = E['query'] extends TSchema ? Static<E['query']> : Record<never, never>
export type Body<E extends Endpoint> = E['body'] extends TSchema ? Static<E['body']> : undefined

/** What a handler of the endpoint may return: one of its statuses with the body that belongs to it. */
export type Reply<E extends Endpoint> = {
  [S in keyof E['answers'] & number]: {
    readonly status: S
    readonly headers?: Readonly<Record<string, string>>
  } & (E['answers'][S] extends { schema: infer B extends TSchema }
    ? { readonly body: Static<B> }
    : { readonly body?: undefined })
}[keyof E['answers'] & number]

function endpoint<const E extends Endpoint>(description: E): E {
  return description
}
