import { connect } from 'node:net'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startApp, type TestApp, type TestProject } from '../../test-support/start-app.ts'
import { pathOf } from './gates/strange-requests.ts'

const PUBLIC_URL = 'https://bugle.example'

let api: TestApp
let behind: TestApp

beforeAll(async () => {
  api = await startApp()
  behind = await startApp({ environment: { BUGLE_PUBLIC_URL: PUBLIC_URL } })
})
afterAll(async () => {
  await Promise.all([api[Symbol.asyncDispose](), behind[Symbol.asyncDispose]()])
})

describe('the target of a request', () => {
  test.each([
    ['/v1/issues?page=1', '/v1/issues?page=1'],
    ['http://evil.example/v1/issues?page=1', '/v1/issues?page=1'],
    ['HTTPS://user@evil.example:8443/v1/issues', '/v1/issues'],
    ['http://evil.example', '/'],
    ['http://evil.example?q=1', '/?q=1'],
    ['http://evil.example//other.example/', '//other.example/'],
    ['*', '*'],
    ['ftp://evil.example/v1', 'ftp://evil.example/v1'],
  ])('%s is the path %s', (url, expected) => {
    expect(pathOf({ url })).toBe(expected)
  })

  test('may be absolute, but its host is not repeated in the response', async () => {
    const project = await withIssues(api)
    for (const path of ['/v1/issues', '/v1/events']) {
      const answer = await ask(api, `http://evil.example${path}?projectId=${project.slug}`, project)
      expect(answer).toMatch(/^HTTP\/1\.1 200 /)
      expect(answer).toMatch(new RegExp(`^link: <${path}\\?`, 'im'))
      expect(answer).not.toContain('evil.example')
    }
    const problem = await ask(api, 'http://evil.example/nowhere', project)
    expect(problem).toContain('"instance":"/nowhere"')
  })

  test.each([
    ['Host: localhost\r\nHost: evil.example', 400],
    ['Host: localhost\r\nhOsT: localhost', 400],
    ['X-Host: localhost', 400],
    ['Host: localhost\r\nX-Host: evil.example', 200],
  ])('requires exactly one host: %j', async (headers, status) => {
    const answer = await exchange(api.url, `GET /healthz HTTP/1.1\r\n${headers}\r\nConnection: close\r\n\r\n`)
    expect(answer).toMatch(new RegExp(`^HTTP/1\\.1 ${status} `))
    if (status === 400) expect(answer).toMatch(/The request has (?:no|more than one) Host header/)
  })
})

describe('links', () => {
  test('are absolute if the public URL is set, whatever the host of the request', async () => {
    const project = await withIssues(behind)
    const issues = await ask(behind, '/v1/issues?pageSize=1&q=Blank', project, 'evil.example')
    expect(linksIn(issues)).toMatchObject({
      first: `${PUBLIC_URL}/v1/issues?pageSize=1&q=Blank&page=1`,
      next: expect.stringMatching(/^https:\/\/bugle\.example\/v1\/issues\?pageSize=1&q=Blank&cursor=[\w-]+$/),
    })
    const events = await ask(behind, '/v1/events?limit=1', project, 'evil.example')
    expect(linksIn(events)).toEqual({
      first: `${PUBLIC_URL}/v1/events?limit=1`,
      next: `${PUBLIC_URL}/v1/events?limit=1&after=1`,
    })
  })

  test('keep special characters in a filter', async () => {
    const project = await withIssues(api)
    const links = linksIn(await ask(api, '/v1/issues?pageSize=1&q=Blank?%3E', project))
    expect(links['first']).toBe('/v1/issues?pageSize=1&q=Blank%3F%3E&page=1')
  })
})

async function withIssues(app: TestApp): Promise<TestProject> {
  const project = await app.addProject()
  for (let index = 0; index < 2; index++) {
    const { status } = await app.send('POST', '/v1/issues', {
      key: project.publicKey,
      body: { title: 'Blank' },
    })
    expect(status).toBe(201)
  }
  return project
}

function ask(app: TestApp, target: string, { secretKey }: TestProject, host = 'localhost'): Promise<string> {
  const lines = [
    `GET ${target} HTTP/1.1`,
    `Host: ${host}`,
    `Authorization: Bearer ${secretKey}`,
    'Connection: close',
  ]
  return exchange(app.url, `${lines.join('\r\n')}\r\n\r\n`)
}

function linksIn(answer: string): Record<string, string> {
  const header = /^link: (.*)$/im.exec(answer)?.[1] ?? ''
  const links = header.matchAll(/<([^>]+)>; rel="(\w+)"/g)
  return Object.fromEntries([...links].map(([, target = '', rel = '']) => [rel, target]))
}

/** Writes raw bytes, and reads until the server closes the connection. */
function exchange(url: string, bytes: string): Promise<string> {
  return new Promise((resolve, reject) => {
    const socket = connect(Number(new URL(url).port), '127.0.0.1', () => socket.write(bytes))
    let text = ''
    socket.on('data', (chunk) => (text += chunk))
    socket.on('end', () => resolve(text))
    socket.on('error', reject)
  })
}
