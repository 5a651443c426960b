import { expect, test } from 'vitest'
import { describeApi } from '../../packages/server/src/http/openapi/openapi.ts'
import { createJudge, type FuzzAnswer } from './judge.ts'
import { operationsOf } from './openapi.ts'

const document = describeApi({ version: '1.2.3' })
const judge = createJudge(document)
const submit = operationsOf(document).find(({ operationId }) => operationId === 'submitIssue') ?? null

const HEADERS = {
  'bugle-version': '1.2.3',
  'x-request-id': 'req_abcdefghijkl',
  'x-content-type-options': 'nosniff',
  'content-security-policy': "default-src 'none'",
  'referrer-policy': 'no-referrer',
  'cross-origin-resource-policy': 'same-origin',
}
const RECORD = {
  id: 'iss_01m8z3v9q8e1r8m6n0p4s2t7wx',
  issueNumber: 1,
  title: 'x',
  status: 'open',
  createdAt: '2026-11-15T09:31:12.345Z',
}
const PROBLEM = {
  type: '/problems/validation-failed',
  title: 'x',
  status: 422,
  detail: 'x',
  instance: '/v1/issues',
  code: 'validation-failed',
  requestId: 'req_abcdefghijkl',
}

function created(body: object = RECORD): FuzzAnswer {
  const headers = { ...HEADERS, 'content-type': 'application/json; charset=utf-8' }
  return { status: 201, headers, text: JSON.stringify(body) }
}

function refused(body: object = PROBLEM): FuzzAnswer {
  const headers = { ...HEADERS, 'content-type': 'application/problem+json', 'cache-control': 'no-store' }
  return { status: 422, headers, text: JSON.stringify(body) }
}

test.each<[name: string, answer: FuzzAnswer]>([
  ['a record', created()],
  ['a problem', refused()],
])('%s as documented is accepted', (_, answer) => {
  expect(judge(answer, 'POST', submit)).toEqual([])
})

const { createdAt: _, ...timeless } = RECORD

test.each<[name: string, answer: FuzzAnswer, complaint: RegExp]>([
  ['a member is missing', created(timeless), /required property 'createdAt'/],
  ['a member is too many', created({ ...RECORD, secret: 'x' }), /additional properties/],
  ['a time has no milliseconds', created({ ...RECORD, createdAt: '2026-11-15T09:31:12Z' }), /date-time/],
  ['the status is not documented', { ...created(), status: 202 }, /does not document/],
  ['the type is not documented', { ...created(), headers: HEADERS }, /type that is not documented/],
  [
    'a header is missing',
    { ...created(), headers: { 'content-type': 'application/json' } },
    /no proper x-content/,
  ],
  ['the code is not documented', refused({ ...PROBLEM, code: 'page-too-deep' }), /code not listed/],
  ['the body has another status', refused({ ...PROBLEM, status: 400 }), /another status/],
  ['it is not a problem document', { ...refused(), headers: HEADERS }, /no problem document/],
  ['there is a stack trace', refused({ ...PROBLEM, detail: 'at x (file.ts:1:2)' }), /stack trace/],
  ['the server failed', { ...refused({ ...PROBLEM, status: 500 }), status: 500 }, /fault of the server/],
])('it is detected when %s', (_, answer, complaint) => {
  expect(judge(answer, 'POST', submit).join('; ')).toMatch(complaint)
})

test('a 404 page is accepted only for paths that are not operations', () => {
  const headers = { ...HEADERS, 'content-type': 'text/html; charset=utf-8', 'cache-control': 'no-store' }
  const page = { status: 404, headers, text: '<!doctype html>' }
  expect(judge(page, 'GET', null)).toEqual([])
  expect(judge(page, 'POST', submit).join('; ')).toMatch(/no problem document/)
  expect(judge({ ...page, status: 403 }, 'GET', null).join('; ')).toMatch(/no problem document/)
})
