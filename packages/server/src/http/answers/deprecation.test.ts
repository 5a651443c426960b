import { type Deprecation, type Endpoint, endpoint, endpoints } from '@bugle/contract'
import { fastify } from 'fastify'
import { parseItem } from 'structured-headers'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { DomainError } from '../../domain/domain-error.ts'
import { NO_RATE_LIMIT } from '../gates/rate-limit.ts'
import { describeOperation } from '../openapi/openapi-operation.ts'
import { answer, createBind } from '../route.ts'
import { announceDeprecation } from './deprecation.ts'
import { createProblemAnswers } from './problem.ts'

const leaving = endpoint({
  name: 'listBugs',
  method: 'GET',
  path: '/v1/bugs',
  tag: 'issues',
  summary: 'List bugs',
  description: 'The old name of issues.',
  access: null,
  deprecation: { since: '2026-12-01', sunset: '2027-12-01', successor: '/v1/issues' },
  answers: { 204: { description: 'Nothing.' } },
  errors: [],
})
const failing = { ...leaving, name: 'failAtBugs', path: '/v1/bugs/failing' }
const { deprecation: _, ...lasting } = { ...leaving, name: 'listIssues', path: '/v1/issues' }

const app = fastify()

beforeAll(async () => {
  app.setErrorHandler(createProblemAnswers({ note() {} }))
  // Anyone may call these endpoints, so callers are not looked up or counted.
  const bind = createBind(app, { rateLimit: NO_RATE_LIMIT } as Parameters<typeof createBind>[1])
  bind(leaving, async ({ request }) =>
    answer(204, undefined, 'x-linked' in request.headers ? { link: '</v1/bugs?page=2>; rel="next"' } : {}),
  )
  bind(failing, async () => {
    throw new DomainError('not-found', { detail: 'It is gone already.' })
  })
  bind(lasting, async () => answer(204, undefined))
  await app.ready()
})
afterAll(() => app.close())

const LINKS =
  '</docs/reference#listBugs>; rel="deprecation"; type="text/html", </docs/reference#listBugs>; rel="sunset", </v1/issues>; rel="successor-version"'

describe('a deprecated endpoint', () => {
  it('announces since when, until when, and what to use instead', async () => {
    const { headers } = await app.inject('/v1/bugs')
    const [since] = parseItem(String(headers['deprecation']))
    expect(since).toEqual(new Date('2026-12-01T00:00:00Z'))
    expect(headers['sunset']).toBe('Wed, 01 Dec 2027 00:00:00 GMT')
    expect(headers.link).toBe(LINKS)
  })

  it('keeps the links that the response already has', async () => {
    const { headers } = await app.inject({ url: '/v1/bugs', headers: { 'x-linked': 'yes' } })
    expect(headers.link).toBe(`</v1/bugs?page=2>; rel="next", ${LINKS}`)
  })

  it('announces it with errors too, and without a body', async () => {
    const failed = await app.inject('/v1/bugs/failing')
    expect([failed.statusCode, failed.headers['deprecation']]).toEqual([404, '@1796083200'])
    const head = await app.inject({ method: 'HEAD', url: '/v1/bugs' })
    expect([head.statusCode, head.headers['deprecation']]).toEqual([204, '@1796083200'])
  })

  it('is marked in OpenAPI', () => {
    expect(describeOperation(leaving, {})).toMatchObject({
      deprecated: true,
      description: expect.stringContaining('until 2027-12-01'),
    })
  })
})

describe('any other endpoint', () => {
  it('announces nothing', async () => {
    const { headers } = await app.inject('/v1/issues')
    expect([headers['deprecation'], headers['sunset'], headers.link]).toEqual([
      undefined,
      undefined,
      undefined,
    ])
    expect(announceDeprecation(lasting)).toEqual({})
    expect(describeOperation(lasting, {}).deprecated).toBeUndefined()
  })
})

describe('the endpoint table', () => {
  it('announces a removal twelve months ahead', () => {
    const announced = Object.values<Endpoint>({ ...endpoints, leaving }).flatMap(
      ({ deprecation }) => deprecation ?? [],
    )
    expect(announced.filter((one) => !isTwelveMonthsAhead(one))).toEqual([])
    expect(isTwelveMonthsAhead({ ...leaving.deprecation, sunset: '2027-11-30' })).toBe(false)
  })
})

function isTwelveMonthsAhead({ since, sunset }: Deprecation): boolean {
  const earliest = new Date(since)
  earliest.setUTCFullYear(earliest.getUTCFullYear() + 1)
  return new Date(sunset) >= earliest
}
