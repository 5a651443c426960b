import { type Endpoint, endpoints } from '@bugle/contract'
import type { LinkObject } from './openapi-document.ts'

type Operation = keyof typeof endpoints

/** The operations that can follow from a response, by the name of the link. */
export function linksOf(endpoint: Endpoint): Record<string, LinkObject> {
  const others = Object.entries(LINKS).find(([name]) => name === endpoint.name)?.[1] ?? []
  return {
    ...byName(toSameThing(endpoint)),
    ...byName(others),
    ...(parametersOf(endpoint.query).includes('cursor') && { nextPage: nextPageOf(endpoint) }),
  }
}

function byName(links: readonly LinkObject[]): Record<string, LinkObject> {
  return Object.fromEntries(links.map((link) => [link.operationId, link]))
}

/** The operations on the resource that the endpoint creates, returns or changes, if they need only its `id`. */
function toSameThing({ path, answers }: Endpoint): readonly LinkObject[] {
  const [collection = ''] = path.split('/{')
  const bodies = Object.values(answers).map(({ schema }) => parametersOf(schema))
  return bodies.some((fields) => fields.includes('id')) ? toOneOf(collection) : []
}

/** `/v1/issues/{id}` and what is below it. */
function toOneOf(collection: string, parameter = 'id'): readonly LinkObject[] {
  const one = `${collection}/{${parameter}}`
  const all = Object.values<Endpoint>(endpoints).filter(
    ({ path, params }) =>
      (path === one || path.startsWith(`${one}/`)) && parametersOf(params).join() === parameter,
  )
  const noun = collection.slice(collection.lastIndexOf('/') + 1).replace(/s$/, '')
  return toEach(
    all.map(({ name }) => name as Operation),
    { [parameter]: '$response.body#/id' },
    `the ${noun}`,
  )
}

const PROJECT_LISTS = ['listIssues', 'listEvents', 'listWebhooks'] as const

const toItsProject = toEach(['getProject'], { idOrSlug: '$response.body#/projectId' }, 'its project')
const DELIVERY = { id: '$request.path.id', position: '$response.body#/position' }

const LINKS: Readonly<Partial<Record<Operation, readonly LinkObject[]>>> = {
  retrieveIssue: toItsProject,
  retrieveIssueByNumber: [...toOneOf('/v1/issues'), ...toItsProject],
  changeIssue: toItsProject,
  getProject: [
    ...toOneOf('/v1/projects', 'idOrSlug'),
    ...toEach(PROJECT_LISTS, { projectId: '$response.body#/id' }, 'the project'),
  ],
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
  createWebhook: toItsProject,
  getWebhook: toItsProject,
  changeWebhook: toItsProject,
  rotateWebhookSecret: toItsProject,
  getDelivery: toEach(['redeliver'], DELIVERY, 'the delivery'),
  redeliver: toEach(['getDelivery'], DELIVERY, 'the delivery'),
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
    description: 'The next page, unless `nextCursor` is `null`.',
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
