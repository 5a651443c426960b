import { CursorQuery } from '../schemas/pagination.ts'
import { Attempt, DeliveryDetail, DeliveryPage, DeliveryParams } from '../schemas/webhooks/deliveries.ts'
import {
  Webhook,
  WebhookCreation,
  WebhookPage,
  WebhookParams,
  WebhookPatch,
  WebhookQuery,
  WebhookWithSecret,
} from '../schemas/webhooks/webhooks.ts'
import { endpoint } from './endpoint.ts'
import { BODY_ERRORS, CHANGE_ERRORS, KEY_ERRORS, WEBHOOK_BODY_BYTES } from './shared.ts'

const ACCESS = { scope: 'webhooks:manage', publicKey: false, publicProject: false } as const

const ORDER_ERRORS = [...CHANGE_ERRORS, 'not-found'] as const

export const webhookEndpoints = {
  createWebhook: endpoint({
    name: 'createWebhook',
    method: 'POST',
    path: '/v1/webhooks',
    tag: 'webhooks',
    summary: 'Create a webhook',
    description:
      'From now on, sends every event of the project to a URL, signed according to Standard Webhooks. Order events by `position`; an event may arrive twice, with the same `webhook-id`. A delivery without a 2xx response within 15 seconds is retried for two and a half days, at increasing intervals. A project can have 100 webhooks, and 100 more that include security issues.',
    access: ACCESS,
    effect: { kind: 'widens-readers' },
    body: WebhookCreation,
    maxBodyBytes: WEBHOOK_BODY_BYTES,
    answers: {
      201: {
        description: 'The webhook, with its secret.',
        schema: WebhookWithSecret,
        headers: { Location: 'Where the webhook can be retrieved.' },
      },
    },
    errors: [...ORDER_ERRORS, ...BODY_ERRORS, 'limit-reached', 'validation-failed'],
  }),

  listWebhooks: endpoint({
    name: 'listWebhooks',
    method: 'GET',
    path: '/v1/webhooks',
    tag: 'webhooks',
    summary: 'List webhooks',
    description: 'The webhooks of a project, with their status.',
    access: ACCESS,
    query: WebhookQuery,
    answers: { 200: { description: 'A page of webhooks.', schema: WebhookPage } },
    errors: [...KEY_ERRORS, 'not-found', 'invalid-parameter', 'invalid-cursor'],
  }),

  getWebhook: endpoint({
    name: 'getWebhook',
    method: 'GET',
    path: '/v1/webhooks/{id}',
    tag: 'webhooks',
    summary: 'Get a webhook',
    description: 'A webhook and its status, without its secret.',
    access: ACCESS,
    params: WebhookParams,
    answers: { 200: { description: 'The webhook.', schema: Webhook } },
    errors: [...KEY_ERRORS, 'not-found'],
  }),

  changeWebhook: endpoint({
    name: 'changeWebhook',
    method: 'PATCH',
    path: '/v1/webhooks/{id}',
    tag: 'webhooks',
    summary: 'Change, pause or resume a webhook',
    description:
      'A merge patch: only the given fields change. A resumed webhook catches up from the log, and retries what failed before it was paused.',
    access: ACCESS,
    effect: { kind: 'widens-readers', when: { url: 'given', includeSecurity: [true] } },
    params: WebhookParams,
    body: WebhookPatch,
    maxBodyBytes: WEBHOOK_BODY_BYTES,
    mediaTypes: ['application/merge-patch+json', 'application/json'],
    answers: { 200: { description: 'The webhook as it is now.', schema: Webhook } },
    errors: [...ORDER_ERRORS, ...BODY_ERRORS, 'limit-reached', 'validation-failed'],
  }),

  deleteWebhook: endpoint({
    name: 'deleteWebhook',
    method: 'DELETE',
    path: '/v1/webhooks/{id}',
    tag: 'webhooks',
    summary: 'Delete a webhook',
    description: 'Nothing more is sent, and its deliveries can no longer be read.',
    access: ACCESS,
    params: WebhookParams,
    answers: { 204: { description: 'The webhook was deleted.' } },
    errors: ORDER_ERRORS,
  }),

  rotateWebhookSecret: endpoint({
    name: 'rotateWebhookSecret',
    method: 'POST',
    path: '/v1/webhooks/{id}/rotate-secret',
    tag: 'webhooks',
    summary: 'Replace the secret of a webhook',
    description:
      'For 24 hours messages are signed with both secrets, so that the receiver can switch at any time.',
    access: ACCESS,
    effect: { kind: 'grants-or-protects' },
    params: WebhookParams,
    answers: { 200: { description: 'The webhook, with its new secret.', schema: WebhookWithSecret } },
    errors: ORDER_ERRORS,
  }),

  testWebhook: endpoint({
    name: 'testWebhook',
    method: 'POST',
    path: '/v1/webhooks/{id}/test',
    tag: 'webhooks',
    summary: 'Send a test message',
    description:
      'Sends a message of type `webhook.test` immediately, even if the webhook is paused, and returns the result.',
    access: ACCESS,
    params: WebhookParams,
    answers: { 200: { description: 'The attempt, successful or not.', schema: Attempt } },
    errors: ORDER_ERRORS,
  }),

  listDeliveries: endpoint({
    name: 'listDeliveries',
    method: 'GET',
    path: '/v1/webhooks/{id}/deliveries',
    tag: 'webhooks',
    summary: 'List deliveries',
    description: 'Past and pending deliveries to a webhook, newest event first.',
    access: ACCESS,
    params: WebhookParams,
    query: CursorQuery,
    answers: { 200: { description: 'A page of deliveries.', schema: DeliveryPage } },
    errors: [...KEY_ERRORS, 'not-found', 'invalid-parameter', 'invalid-cursor'],
  }),

  getDelivery: endpoint({
    name: 'getDelivery',
    method: 'GET',
    path: '/v1/webhooks/{id}/deliveries/{position}',
    tag: 'webhooks',
    summary: 'Get a delivery',
    description: 'A delivery with every attempt: its time, its result and the beginning of the response.',
    access: ACCESS,
    params: DeliveryParams,
    answers: { 200: { description: 'The delivery.', schema: DeliveryDetail } },
    errors: [...KEY_ERRORS, 'not-found'],
  }),

  redeliver: endpoint({
    name: 'redeliver',
    method: 'POST',
    path: '/v1/webhooks/{id}/deliveries/{position}/redeliver',
    tag: 'webhooks',
    summary: 'Redeliver an event',
    description:
      'Sends an event again, with the same `webhook-id` and the full retry schedule. If the webhook is paused, it is sent after the webhook is resumed.',
    access: ACCESS,
    params: DeliveryParams,
    answers: { 202: { description: 'The delivery, pending again.', schema: DeliveryDetail } },
    errors: ORDER_ERRORS,
  }),
}
