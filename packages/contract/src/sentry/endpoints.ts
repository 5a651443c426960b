import { type Static, Type } from 'typebox'
import { endpoint } from '../endpoints/endpoint.ts'
import { KEY_ERRORS } from '../endpoints/shared.ts'
import { answerObject, nullable } from '../schemas/members.ts'

/** The content codings that Sentry's SDKs use. */
export const SENTRY_ENCODINGS = ['gzip', 'deflate', 'br', 'zstd'] as const
export type SentryEncoding = (typeof SENTRY_ENCODINGS)[number]

/** An event of an envelope, unpacked: the limit of Sentry itself. */
export const MAX_SENTRY_EVENT_BYTES = 1024 * 1024
/** The largest body as it is sent; what it may have unpacked depends on the limits for files. */
export const MAX_ENVELOPE_BYTES = 200 * 1024 * 1024

const SentryParams = Type.Object({
  projectNumber: Type.String({ description: 'The number of the project, as in the DSN.' }),
})

export const EnvelopeReceipt = answerObject(
  { id: nullable<string>('string', { description: 'The id of the event; `null` if it has none.' }) },
  { title: 'EnvelopeReceipt', examples: [{ id: '9ec79c33ec9942ab8353589fcb2e04dc' }] },
)
export type EnvelopeReceipt = Static<typeof EnvelopeReceipt>

const SHARED = {
  method: 'POST',
  tag: 'sdk',
  access: { scope: 'issues:create', publicKey: true, publicProject: false },
  params: SentryParams,
  hasRawBody: true,
  maxBodyBytes: MAX_ENVELOPE_BYTES,
  encodings: SENTRY_ENCODINGS,
  keyIn: 'sentry',
  isSubmission: true,
  crossOrigin: true,
  answers: {
    200: {
      description: 'What is kept of it is stored.',
      schema: EnvelopeReceipt,
      headers: {
        'X-Sentry-Rate-Limits': 'The categories that are not kept, so that SDKs stop sending them.',
      },
    },
  },
  errors: [...KEY_ERRORS, 'not-found', 'malformed-body', 'content-too-large', 'unsupported-media-type'],
} as const

/**
 * What Sentry's SDKs call. The protocol is Sentry's, so these are not part of the OpenAPI document and of the published client.
 */
export const sentryEndpoints = {
  sendEnvelope: endpoint({
    ...SHARED,
    name: 'sendEnvelope',
    path: '/api/{projectNumber}/envelope/',
    summary: 'Receive an envelope',
    description: "What one of Sentry's SDKs sends: an event, feedback, a user report, files.",
  }),
  storeEvent: endpoint({
    ...SHARED,
    name: 'storeEvent',
    path: '/api/{projectNumber}/store/',
    summary: 'Receive an event',
    description: "What old versions of Sentry's SDKs send: one event as JSON.",
  }),
}
