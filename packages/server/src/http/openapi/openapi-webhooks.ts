import { EVENT_TYPES, SlackMessage, WEBHOOK_TEST, WebhookMessage, WebhookTestMessage } from '@bugle/contract'
import type { TSchema } from 'typebox'
import type {
  JsonSchema,
  OperationObject,
  ParameterObject,
  PathItemObject,
  TagObject,
} from './openapi-document.ts'
import { exampleOf, referToResponse } from './openapi-schemas.ts'

/** The bodies that webhooks receive. They are described like responses: open, since new fields may appear. */
export const WEBHOOK_BODIES: readonly TSchema[] = [WebhookMessage, WebhookTestMessage, SlackMessage]

/** A separate tag, because `openapi-generator` writes one file per tag and would overwrite that of the webhook operations. */
export const WEBHOOK_TAG: TagObject = {
  name: 'messages',
  description: 'What the server sends to webhooks. Verify the signature before you trust a message.',
}

/** What the server sends to webhooks, for the `webhooks` of the document. */
export function describeWebhooks(): Record<string, PathItemObject> {
  const events = EVENT_TYPES.map((type) => [
    type,
    {
      post: describeMessage({
        type,
        summary: `The event ${type}`,
        description: 'Sent to webhooks of the format `standard` that subscribe to this type of event.',
        ...bodyOf(WebhookMessage),
      }),
    },
  ])
  return {
    ...Object.fromEntries(events),
    [WEBHOOK_TEST]: {
      post: describeMessage({
        type: WEBHOOK_TEST,
        summary: 'A test',
        description: 'Sent to webhooks of the format `standard` by the operation `testWebhook`.',
        ...bodyOf(WebhookTestMessage),
      }),
    },
    [SLACK]: {
      post: describeMessage({
        type: SLACK,
        summary: 'Any message, for Slack',
        description: 'Sent to webhooks of the format `slack` instead of all other messages.',
        ...bodyOf(SlackMessage),
      }),
    },
  }
}

/**
 * The same messages as callbacks of the operation that requests them. `oapi-codegen` keeps only schemas that are reachable from
 * an operation, but writes code for all webhooks: without this it does not compile.
 */
export function describeCallbacks(): NonNullable<OperationObject['callbacks']> {
  const message = describeMessage({
    type: 'message',
    summary: 'Any message',
    description: 'Sent to the webhook when something happens. `webhooks` describes each type of message.',
    schema: { anyOf: WEBHOOK_BODIES.map(referToResponse) },
    example: exampleOf(WebhookMessage),
  })
  return { message: { '{$request.body#/url}': { post: message } } }
}

const SLACK = 'slack.message'

interface Message {
  readonly type: string
  readonly summary: string
  readonly description: string
  readonly schema: JsonSchema
  readonly example: unknown
}

function describeMessage({ type, summary, description, schema, example }: Message): OperationObject {
  return {
    operationId: `receive${toPascalCase(type)}`,
    tags: [WEBHOOK_TAG.name],
    summary,
    description,
    security: [],
    parameters: HEADERS,
    requestBody: {
      required: true,
      content: { 'application/json': { schema, example } },
    },
    responses: {
      '2XX': { description: 'The message was received. It is not sent again.', headers: {} },
      '410': { description: 'The webhook is paused.', headers: {} },
      default: { description: 'The message is sent again later, with the same `webhook-id`.', headers: {} },
    },
  }
}

function bodyOf(body: TSchema): Pick<Message, 'schema' | 'example'> {
  return { schema: referToResponse(body), example: exampleOf(body) }
}

function toPascalCase(type: string): string {
  return type.replaceAll(/(?:^|[._])(\w)/g, (_, letter: string) => letter.toUpperCase())
}

const HEADERS: readonly ParameterObject[] = [
  describeHeader('webhook-id', 'Identifies the message: a repeat has the same id.', { type: 'string' }),
  describeHeader('webhook-timestamp', 'When it was sent, in seconds since 1970.', {
    type: 'integer',
    format: 'int64',
  }),
  describeHeader(
    'webhook-signature',
    'Signatures of id, timestamp and body, separated by spaces, as specified by Standard Webhooks.',
    { type: 'string' },
  ),
]

function describeHeader(
  name: string,
  description: string,
  schema: ParameterObject['schema'],
): ParameterObject {
  return { name, in: 'header', required: true, description, schema }
}
