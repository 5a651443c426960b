import { ISSUE_SORTS, ISSUE_STATUSES, MAX_KNOWN_ISSUES, MAX_KNOWN_TITLE_CHARS } from '@bugle/contract'
import { createRandom, type Random } from '../packages/server/src/demo/random.ts'
import type { Dataset } from './datasets.ts'
import { type ExpectedStatus, NUMBER_MARK } from './driver.ts'
import { someReport } from './reports.ts'
import { someWord, someWords } from './texts.ts'

/** Requests that differ from each other; they are sent in turn. */
const VARIETY = 2_000

/** READ FIRST: the kinds of load, and their requests. */
export interface Scenario {
  readonly name: string
  readonly connections: number
  /** Each scenario that writes begins on a fresh copy of the data set. */
  readonly writes: boolean
  readonly status: ExpectedStatus
  /** Raw HTTP requests. */
  requests(stage: Stage): Promise<readonly string[]>
}

export interface Stage {
  readonly dataset: Dataset
  readonly url: string
}

export const SUBMIT_64 = 'submit, 64 connections'
export const SUBMIT_256 = 'submit, 256 connections'
export const SUBMIT_1 = 'submit, 1 connection'
export const RETRIEVE = 'retrieve'
export const LIST = 'list, first page'
export const DEEP_CURSOR = 'list, deep cursor'
export const TEAM_PAGE = 'list, any page, without security:read'
export const UNCHANGED_LIST = 'list, unchanged (304)'
export const SEARCH = 'search'
export const STATISTICS = 'statistics'
export const SUGGESTIONS = 'suggestions of known issues'
export const SDK_CONFIG = 'SDK configuration (304)'

export const SCENARIOS: readonly Scenario[] = [
  { ...writing(submission), name: SUBMIT_1, connections: 1 },
  { ...writing(submission), name: SUBMIT_64 },
  { ...writing(submission), name: SUBMIT_256, connections: 256 },
  { ...writing(submissionOfAnIssue), name: 'submit with fingerprints' },
  { ...reading(retrieval), name: RETRIEVE },
  { ...reading(firstPage), name: LIST },
  { ...reading(deepPage), name: DEEP_CURSOR },
  { ...reading(teamPage), name: TEAM_PAGE },
  { name: UNCHANGED_LIST, connections: 64, writes: false, status: '304', requests: unchangedList },
  { ...reading(search), name: SEARCH, connections: 4 },
  { ...reading(statistics), name: STATISTICS, connections: 8 },
  { ...writing(suggestion), name: SUGGESTIONS, connections: 1, requests: suggestions },
  { name: SDK_CONFIG, connections: 64, writes: false, status: '304', requests: unchangedSdkConfig },
  { ...writing(nineReadsToAWrite), name: 'mix of 90% reads, 10% submits' },
]

type Compose = (dataset: Dataset, random: Random) => string

function writing(compose: Compose): Omit<Scenario, 'name'> {
  return {
    connections: 64,
    writes: true,
    status: '2xx',
    requests: async ({ dataset }) => variety(dataset, compose),
  }
}

function reading(compose: Compose): Omit<Scenario, 'name'> {
  return { ...writing(compose), writes: false }
}

function variety(dataset: Dataset, compose: Compose): readonly string[] {
  const random = createRandom(dataset.size + 2)
  return Array.from({ length: VARIETY }, () => compose(dataset, random))
}

export function submission(dataset: Dataset, random: Random): string {
  return post(dataset, someReport(random, submissionId()))
}

/** Nine in ten join an issue, one in ten creates one. */
function submissionOfAnIssue(dataset: Dataset, random: Random): string {
  const fingerprint = random.chance(0.9) ? random.pick(dataset.fingerprints) : `new-${NUMBER_MARK}`
  return post(dataset, { ...someReport(random, submissionId()), fingerprint })
}

function retrieval(dataset: Dataset, random: Random): string {
  return get(dataset, `/v1/issues/${random.pick(dataset.issueIds)}`)
}

function firstPage(dataset: Dataset, random: Random): string {
  const filter = random.chance(0.5)
    ? `status=${random.pick(ISSUE_STATUSES)}`
    : `sort=${random.pick(ISSUE_SORTS)}`
  return get(dataset, `/v1/issues?pageSize=25&${filter}`)
}

function deepPage(dataset: Dataset, random: Random): string {
  return get(dataset, `/v1/issues?pageSize=25&cursor=${random.pick(dataset.cursors)}`)
}

/** What most callers do: read any page, without access to security issues. */
function teamPage(dataset: Dataset, random: Random): string {
  const query = random.chance(0.5)
    ? `cursor=${random.pick(dataset.cursors)}`
    : `page=${random.integer(1, 40)}&status=${random.pick(ISSUE_STATUSES)}`
  return compose('GET', `/v1/issues?pageSize=25&${query}`, dataset.teamToken)
}

/** Words as frequent as in the texts: one word, two words, a prefix, a phrase. */
export function search(dataset: Dataset, random: Random): string {
  const [first, second] = [someWord(random), someWord(random)]
  const q = random.pick([first, `${first} ${second}`, `${first.slice(0, 3)}*`, `"${first} ${second}"`])
  return get(dataset, `/v1/issues?pageSize=25&q=${encodeURIComponent(q)}`)
}

export function statistics(dataset: Dataset): string {
  return get(dataset, `/v1/projects/${dataset.slug}/stats`)
}

/** As many issues are published as can be. Those of category `security` cannot. */
async function suggestions({ dataset, url }: Stage): Promise<readonly string[]> {
  const random = createRandom(dataset.size)
  const headers = { authorization: `Bearer ${dataset.secretToken}`, 'content-type': 'application/json' }
  let count = 0
  for (const id of dataset.issueIds) {
    if (count === MAX_KNOWN_ISSUES) break
    const title = someWords(random, 8).slice(0, MAX_KNOWN_TITLE_CHARS)
    const body = JSON.stringify({ known: { title, text: 'Wait for the next release.' } })
    const answer = await fetch(`${url}/v1/issues/${id}`, { method: 'PATCH', headers, body })
    await answer.body?.cancel()
    if (answer.ok) count++
  }
  if (count === 0) throw new Error('no issue could be published')
  return variety(dataset, suggestion)
}

/** What people have typed so far of a title. */
function suggestion(dataset: Dataset, random: Random): string {
  return post(dataset, { title: someWords(random, random.integer(2, 6)) }, '/v1/known-issues/search')
}

function nineReadsToAWrite(dataset: Dataset, random: Random): string {
  if (random.chance(0.1)) return submission(dataset, random)
  return random.pick([retrieval, retrieval, retrieval, firstPage, deepPage])(dataset, random)
}

function unchangedSdkConfig({ dataset, url }: Stage): Promise<readonly string[]> {
  return unchanged(url, '/v1/sdk-config', dataset.publicToken)
}

function unchangedList({ dataset, url }: Stage): Promise<readonly string[]> {
  return unchanged(url, '/v1/issues?pageSize=25', dataset.teamToken)
}

async function unchanged(url: string, path: string, token: string): Promise<readonly string[]> {
  const answer = await fetch(url + path, { headers: { authorization: `Bearer ${token}` } })
  return [compose('GET', path, token, [`If-None-Match: ${answer.headers.get('etag')}`])]
}

function submissionId(): string {
  return `018f3c2a-7d11-7000-8000-${NUMBER_MARK}`
}

function get({ secretToken }: Dataset, path: string): string {
  return compose('GET', path, secretToken)
}

function post({ publicToken }: Dataset, body: object, path = '/v1/issues'): string {
  const json = JSON.stringify(body)
  const headers = ['Content-Type: application/json', `Content-Length: ${Buffer.byteLength(json)}`]
  return `${compose('POST', path, publicToken, headers)}${json}`
}

function compose(method: string, path: string, token: string, headers: readonly string[] = []): string {
  return [
    `${method} ${path} HTTP/1.1`,
    'Host: localhost',
    `Authorization: Bearer ${token}`,
    ...headers,
    '',
    '',
  ].join('\r\n')
}
