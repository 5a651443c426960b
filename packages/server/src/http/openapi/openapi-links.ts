import type { Endpoint, endpoints } from '@bugle/contract'
import type { LinkObject } from './openapi-document.ts'

type Operation = keyof typeof endpoints

/** What can be called next with what an endpoint responded, by the name of the link. */
export function linksOf(endpoint: Endpoint): Record<string, LinkObject> {
  const found = Object.entries(LINKS).find(([name]) => name === endpoint.name)?.[1] ?? []
  return {
    ...Object.fromEntries(found.map((link) => [link.operationId, link])),
    ...(parametersOf(endpoint.query).includes('cursor') && { nextPage: nextPageOf(endpoint) }),
  }
}

const ISSUE_OPERATIONS = [
  'retrieveIssue',
  'changeIssue',
  'deleteIssue',
  'listIssueEvents',
  'listIssueReports',
] as const
const PROJECT_OPERATIONS = ['getProject', 'listProjectKeys', 'getProjectStats'] as const
const PROJECT_LISTS = ['listIssues', 'listEvents', 'listWebhooks'] as const
const WEBHOOK_OPERATIONS = [
  'getWebhook',
  'changeWebhook',
  'deleteWebhook',
  'rotateWebhookSecret',
  'testWebhook',
  'listDeliveries',
] as const

const ofIssue = toEach(ISSUE_OPERATIONS, { id: '$response.body#/id' }, 'the issue')
const ofWebhook = toEach(WEBHOOK_OPERATIONS, { id: '$response.body#/id' }, 'the webhook')
const toItsProject = toEach(['getProject'], { idOrSlug: '$response.body#/projectId' }, 'its project')
const ofProject = [
  ...toEach(PROJECT_OPERATIONS, { idOrSlug: '$response.body#/id' }, 'the project'),
  ...toEach(PROJECT_LISTS, { projectId: '$response.body#/id' }, 'the project'),
]
const DELIVERY = { id: '$request.path.id', position: '$response.body#/position' }

const LINKS: Readonly<Partial<Record<Operation, readonly LinkObject[]>>> = {
  submitIssue: ofIssue,
  retrieveIssue: [...ofIssue, ...toItsProject],
  retrieveIssueByNumber: [...ofIssue, ...toItsProject],
  changeIssue: [...ofIssue, ...toItsProject],
  getProject: ofProject,
  getProjectStats: toItsProject,
  listEvents: [
    {
      operationId: 'listEvents',
      description: 'The events after these.',
      parameters: {
        projectId: '$request.query.projectId',
        type: '$request.query.type',
        limit: '$request.query.limit',
        after: '$response.body#/nextAfter',
      },
    },
  ],
  createWebhook: [...ofWebhook, ...toItsProject],
  getWebhook: [...ofWebhook, ...toItsProject],
  changeWebhook: [...ofWebhook, ...toItsProject],
  rotateWebhookSecret: [...ofWebhook, ...toItsProject],
  getDelivery: toEach(['redeliver'], DELIVERY, 'the delivery'),
  redeliver: toEach(['getDelivery'], DELIVERY, 'the delivery'),
  createView: toEach(['deleteView'], { id: '$response.body#/id' }, 'the view'),
}

function toEach(
  operations: readonly Operation[],
  parameters: LinkObject['parameters'],
  subject: string,
): readonly LinkObject[] {
  return operations.map((operationId) => ({ operationId, description: `For ${subject}.`, parameters }))
}

/** A cursor belongs to its filters, so they are repeated; `page` is not, because a cursor replaces it. */
function nextPageOf({ name, params, query }: Endpoint): LinkObject {
  const filters = parametersOf(query).filter((parameter) => parameter !== 'cursor' && parameter !== 'page')
  return {
    operationId: name,
    description: 'The rows after these, unless `nextCursor` is `null`.',
    parameters: {
      ...Object.fromEntries(
        parametersOf(params).map((parameter) => [parameter, `$request.path.${parameter}`]),
      ),
      ...Object.fromEntries(filters.map((parameter) => [parameter, `$request.query.${parameter}`])),
      cursor: '$response.body#/pagination/nextCursor',
    },
  }
}

function parametersOf(schema: Endpoint['query']): readonly string[] {
  const { properties = {} } = (schema ?? {}) as { properties?: object }
  return Object.keys(properties)
}
