import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { toBytes } from '../../../../test-support/shown-answer.ts'
import { type Answer, startApp, type TestApp, type TestProject } from '../../../../test-support/start-app.ts'

/** The header that Chromium sends when a person opens a page. */
const BROWSER = { accept: 'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8' }

let api: TestApp
beforeAll(async () => {
  api = await startApp()
})
afterAll(() => api[Symbol.asyncDispose]())

type Page = Pick<Answer, 'status' | 'headers' | 'text'>

/** Without the check of the API's responses: this one is for people. */
async function open(slug: string, query = '', headers = {}): Promise<Page> {
  const answer = await fetch(`${api.url}/p/${slug}${query}`, { headers: { ...BROWSER, ...headers } })
  return { status: answer.status, headers: answer.headers, text: await answer.text() }
}

async function submit({ publicKey }: TestProject, body: object): Promise<string> {
  const answer = await api.send('POST', '/v1/issues', { key: publicKey, body })
  expect(answer.status).toBe(201)
  return answer.body.id
}

async function change({ secretKey }: TestProject, id: string, body: object): Promise<void> {
  const answer = await api.send('PATCH', `/v1/issues/${id}`, { key: secretKey, body })
  expect(answer.status).toBe(200)
}

async function publish(project: TestProject, title: string, text = ''): Promise<string> {
  const id = await submit(project, { title: `Internal: ${title}` })
  await change(project, id, { known: { title, text } })
  return id
}

/** The titles on a page, in order. */
const titlesOf = ({ text }: Page) =>
  [...text.matchAll(/<h3 dir="auto">(.*?)<\/h3>/g)].map(([, title]) => title)
const statesOf = ({ text }: Page) =>
  [...text.matchAll(/<p class="state \w+">(.*?)<\/p>/g)].map(([, state]) => state?.replaceAll(/<[^>]*>/g, ''))
/** The address behind a link to older issues. */
const olderOf = ({ text }: Page, name: string) =>
  new RegExp(`href="(\\?${name}=[^"]*)"`).exec(text)?.[1] ?? 'no link'

describe('the page of a public project', () => {
  it('shows known issues with their status and fix, then open issues, newest first', async () => {
    const project = await api.addProject({ isPublic: true, name: 'Weather' })
    const old = await publish(project, 'Rain is missing', 'Update to 2.4.1.\nOr wait.')
    await change(project, old, { status: 'resolved', fixedIn: { appVersion: '2.4.1', buildNumber: '512' } })
    await submit(project, {
      title: 'First',
      description: 'It is blank',
      platform: 'ios',
      appVersion: '2.4.0',
    })
    const busy = await submit(project, { title: 'Second' })
    await change(project, busy, { status: 'in_progress' })
    const done = await submit(project, { title: 'Done' })
    await change(project, done, { status: 'resolved' })
    await publish(project, 'Snow is missing')
    const page = await open(project.slug)
    expect(page.status).toBe(200)
    expect(titlesOf(page)).toEqual(['Snow is missing', 'Rain is missing', 'Second', 'First'])
    expect(statesOf(page)).toEqual(['Confirmed', 'Fixed in 2.4.1 (build 512)', 'In progress', 'Received'])
    expect(page.text).toContain('<h1 dir="auto">Weather</h1>')
    expect(page.text).toContain('Update to 2.4.1.\nOr wait.')
    for (const fact of ['It is blank', '<bdi>ios</bdi>', 'Version <bdi>2.4.0</bdi>', '1 report'])
      expect(page.text).toContain(fact)
    expect(page.text).not.toMatch(/Internal|Done|cursor=/)
  })

  it('shows nothing that is private, hidden, spam, deleted or unpublished', async () => {
    const project = await api.addProject({
      isPublic: true,
      description: 'wombat',
      websiteUrl: 'https://wombat.example',
    })
    await submit(project, {
      ...{ title: 'Visible', deviceModel: 'wombat', buildNumber: '1', osVersion: '1' },
      ...{ metadata: { wombat: 1 }, context: { page: 'wombat' }, reporter: { email: 'wombat@example.com' } },
    })
    await submit(project, { title: 'wombat', category: 'security' })
    for (const body of [{ category: 'security' }, { known: null }, { status: 'closed', known: null }]) {
      const id = await submit(project, { title: 'Quokka' })
      await change(project, id, { known: { title: 'wombat', text: 'wombat' } })
      await change(project, id, body)
    }
    for (const [method, path, body] of [
      ['POST', '/spam', {}],
      ['DELETE', '', undefined],
    ] as const) {
      const id = await publish(project, 'wombat', 'wombat')
      const ask = { key: project.secretKey, ...(body && { body }) }
      expect((await api.send(method, `/v1/issues/${id}${path}`, ask)).status).toBeLessThan(300)
    }
    const page = await open(project.slug)
    expect(titlesOf(page)).toEqual(['Quokka', 'Visible'])
    expect(page.text).not.toMatch(/wombat/i)
    expect(page.text).toContain('There are no known issues at the moment.')
  })

  it('says so if there is nothing to show', async () => {
    const { slug } = await api.addProject({ isPublic: true })
    const { text } = await open(slug)
    expect(text).toContain('There are no known issues at the moment.')
    expect(text).toContain('There are no open issues.')
  })

  it('has a limited size, with links to older issues', async () => {
    const project = await api.addProject({ isPublic: true })
    const numbers = (count: number) => Array.from({ length: count }, (_, index) => index + 1)
    for (const number of numbers(21)) await publish(project, `Known ${number}`)
    for (const number of numbers(26)) await submit(project, { title: `Open ${number}` })
    const first = await open(project.slug)
    const names = (word: string, from: number, to: number) =>
      numbers(from - to + 1).map((index) => `${word} ${from + 1 - index}`)
    expect(titlesOf(first)).toEqual([...names('Known', 21, 2), ...names('Open', 26, 2)])
    const known = await open(project.slug, olderOf(first, 'known-cursor'))
    expect(titlesOf(known)).toEqual(['Known 1'])
    expect(known.text).not.toMatch(/cursor=|Open issues/)
    const older = await open(project.slug, olderOf(first, 'cursor'))
    expect(titlesOf(older)).toEqual(['Open 1'])
    expect(older.text).toContain(`<a href="${project.slug}">`)
    expect(older.text).not.toContain('<h2 id="known">')
    const both = `${olderOf(first, 'cursor')}&${olderOf(first, 'known-cursor').replace('?', '')}`
    expect((await open(project.slug, both)).status).toBe(404)
  })

  it('escapes what people write, and keeps its direction', async () => {
    const hostile = "<script>alert(1)</script>\"onload='x'\u202eabc\u2066"
    const project = await api.addProject({ isPublic: true, name: hostile })
    const id = await publish(project, hostile, hostile)
    await change(project, id, { status: 'resolved', fixedIn: { appVersion: hostile, buildNumber: hostile } })
    await submit(project, { title: hostile, description: hostile, appVersion: hostile })
    const { text } = await open(project.slug)
    expect(text).not.toMatch(/<script|alert\(1\)<|"onload|\p{Bidi_Control}/u)
    expect(
      text.match(/&#60;script&#62;alert\(1\)&#60;\/script&#62;&#34;onload=&#39;x&#39;abc/g),
    ).toHaveLength(11)
  })

  it('loads nothing but files of this server, runs no script, and tells no one its address', async () => {
    const { slug } = await api.addProject({ isPublic: true })
    const { headers, text } = await open(slug)
    const policy = String(headers.get('content-security-policy'))
    expect(policy).toContain("default-src 'none'")
    expect(policy).not.toMatch(/script|unsafe|\*|https?:|data:/)
    expect(text).not.toMatch(/<script|<style|style=|https?:/)
    expect(Object.fromEntries(headers)).toMatchObject({
      'content-type': 'text/html; charset=utf-8',
      'referrer-policy': 'no-referrer',
      'cross-origin-opener-policy': 'same-origin',
      'x-content-type-options': 'nosniff',
      'x-robots-tag': 'noindex',
      'cache-control': 'no-cache',
    })
  })

  it('is not sent again until something on it changes', async () => {
    const project = await api.addProject({ isPublic: true })
    const known = await publish(project, 'Rain')
    const first = await open(project.slug)
    const tag = { 'if-none-match': String(first.headers.get('etag')) }
    const again = await open(project.slug, '', tag)
    expect([again.status, again.text, again.headers.get('etag')]).toEqual([304, '', tag['if-none-match']])
    await submit(project, { title: 'Hidden', category: 'security' })
    expect((await open(project.slug, '', tag)).status).toBe(304)
    await change(project, known, { known: { text: 'Wait.' } })
    expect((await open(project.slug, '', tag)).status).toBe(200)
  })

  it('is the same for everyone', async () => {
    const project = await api.addProject({ isPublic: true })
    await submit(project, { title: 'Visible' })
    await submit(project, { title: 'Hidden', category: 'security' })
    const { text } = await open(project.slug)
    const cookie = await api.addUser({ role: 'admin', canSeeSecurity: true })
    for (const key of [project.secretKey, project.publicKey, cookie])
      expect((await api.send('GET', `/p/${project.slug}`, { key })).text).toBe(text)
  })
})

describe('a page that is not there', () => {
  it('is the same for private, missing and deleted projects, byte for byte', async () => {
    const hidden = await api.addProject()
    const deleted = await api.addProject({ isPublic: true })
    const shown = await api.addProject({ isPublic: true })
    await submit(hidden, { title: 'wombat' })
    expect((await open(deleted.slug)).status).toBe(200)
    while (!(await api.app.storage.projects.delete(deleted.id)).isFinished);
    await expect.poll(async () => (await open(deleted.slug)).status).toBe(404)
    const slugs = [hidden.slug, deleted.slug, 'nowhere', hidden.id, shown.id, '%2e%2e%2f', 'A'.repeat(2_000)]
    for (const accept of [BROWSER.accept, '*/*']) {
      const answers: string[] = []
      for (const slug of slugs) answers.push(toBytes(await open(slug, '', { accept }), `/p/${slug}`))
      expect(answers[0]).toMatch(
        accept === '*/*' ? /^404\n.*"not-found"/s : /^404\n.*<h1>Page not found<\/h1>/s,
      )
      expect(new Set(answers).size).toBe(1)
    }
  })

  it.each(['?cursor=x', '?known-cursor=x', '?cursor=', '?known-cursor=WyJ4IiwxXQ'])(
    'is a link to older issues that this server has not made: %s',
    async (query) => {
      const { slug } = await api.addProject({ isPublic: true })
      expect((await open(slug, query)).status).toBe(404)
    },
  )

  it('ignores other parameters', async () => {
    const { slug } = await api.addProject({ isPublic: true })
    expect((await open(slug, '?utm_source=x&cursor=a&cursor=b')).status).toBe(200)
  })
})

it('counts requests as those of an anonymous reader', async () => {
  await using limited = await startApp({ environment: { BUGLE_RATE_LIMITS: 'anonymous=2' } })
  const { slug } = await limited.addProject({ isPublic: true })
  const ask = async (path: string) => (await limited.send('GET', path)).status
  expect(await ask(`/p/${slug}`)).toBe(200)
  expect(await ask('/p/nowhere')).toBe(404)
  expect(await ask(`/p/${slug}`)).toBe(429)
  expect(await ask(`/v1/projects/${slug}`)).toBe(429)
})
