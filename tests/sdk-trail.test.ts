import { describe, expect } from 'vitest'
import { type Scene, setStage, test } from './support/sdk/stage.ts'

setStage()

/** None of these may leave the page. */
const SECRETS = {
  token: 'tok3nInTheQuery99',
  fragment: 'fragmentT0ken4242',
  email: 'ada.secret@example.com',
  card: '4111 1111 1111 1111',
  password: 'hunter2-typed-in',
  header: 'headerS3cretValue',
  bearer: 'bearerS3cret123456',
  path: '9f8e7d6c5b4a39281706aa',
  object: 'insideAnObject77',
}

interface Trail {
  readonly version: number
  readonly steps: readonly { readonly at: string; readonly kind: string; readonly text: string }[]
}

/** The trail of the only issue, once it has arrived. */
async function readTrail({ app, project, issues }: Scene): Promise<Trail | undefined> {
  const [issue] = await issues()
  if (!issue) return undefined
  const { body } = await app.send('GET', `/v1/issues/${issue['id']}/attachments`, { key: project.secretKey })
  const [file] = body.data
  if (file?.state !== 'received') return undefined
  expect(file).toMatchObject({ name: 'trail.json', declaredType: 'application/vnd.bugle.trail+json' })
  const response = await fetch(`${app.url}/v1/attachments/${file.id}`, {
    headers: { authorization: `Bearer ${project.secretKey}` },
  })
  return (await response.json()) as Trail
}

describe('the trail', () => {
  test('has the steps before a report, and none of the planted secrets', async ({ scene }) => {
    const page = await scene.open({
      body: '<form role="search"><input id="password" type="password"><button id="save" type="button">Save</button></form>',
    })
    await page.evaluate(() => window.bugle.startTrail())
    await page.fill('#password', SECRETS.password)
    await page.click('#password')
    await page.click('#save')
    await page.evaluate(async (secrets) => {
      const { addStep, report } = window.bugle
      const home = location.pathname
      const log = window['console']
      history.pushState(
        null,
        '',
        `/reset/${secrets.path}?token=${secrets.token}#id_token=${secrets.fragment}`,
      )
      history.pushState(null, '', `${home}?session=${secrets.token}`)
      log.warn('Login failed for', secrets.email, { secret: secrets.object })
      log.error(new Error(`Authorization: Bearer ${secrets.bearer}`))
      log.error(`Card ${secrets.card} was declined`)
      await fetch(`/missing/${secrets.path}?access_token=${secrets.token}`, {
        method: 'POST',
        headers: { 'x-api-key': secrets.header },
        body: secrets.password,
      })
      await new Promise<void>((resolve) => {
        const request = new XMLHttpRequest()
        request.open('GET', `/absent?email=${secrets.email}`)
        request.setRequestHeader('authorization', `Bearer ${secrets.bearer}`)
        request.onloadend = () => resolve()
        request.send()
      })
      addStep(`Paid with ${secrets.card} as ${secrets.email}`)
      history.replaceState(null, '', home)
      await report({ title: 'With a trail' })
    }, SECRETS)
    await expect.poll(() => readTrail(scene)).toBeDefined()
    const { steps = [] } = (await readTrail(scene)) ?? {}
    const texts = steps.map(({ kind, text }) => `${kind} ${text.replaceAll(scene.site.url, '')}`)
    expect(texts).toEqual(
      expect.arrayContaining([
        'navigation /reset/[redacted]',
        expect.stringMatching(/^click .*form\[role=search\] > input#password$/),
        expect.stringMatching(/^click .*button#save$/),
        'console warn: Login failed for [redacted] [object Object]',
        'console error: Card [redacted] was declined',
        expect.stringMatching(/^request POST \/missing\/\[redacted\] 404 \d+ ms$/),
        expect.stringMatching(/^request GET \/absent 404 \d+ ms$/),
        'app Paid with [redacted] as [redacted]',
      ]),
    )
    // What the page itself requested has gone to the site, and everything of the SDK to the gateway.
    const sent = scene.gateway.seen.map(({ line, body }) => line + body).join('\n')
    expect(sent).toContain('trail.json')
    for (const secret of Object.values(SECRETS)) expect(sent).not.toContain(secret)
  })

  test('takes at most 256 KiB of memory after 100,000 steps', async ({ scene }) => {
    const page = await scene.open()
    const devtools = await scene.profile.newCDPSession(page)
    const measureHeap = async () => {
      await devtools.send('HeapProfiler.collectGarbage')
      return (await devtools.send('Runtime.getHeapUsage')).usedSize
    }
    const takeSteps = (count: number) =>
      page.evaluate((steps) => {
        for (let number = 0; number < steps; number++) {
          const length = number % 100 === 0 ? 10_000 : 20
          if (number % 4 === 1) document.body.click()
          else window.bugle.addStep(`Step ${number}: ${'b'.repeat(length)}`)
        }
      }, count)
    // Compiled code is not what is measured.
    const warmUp = await page.evaluateHandle(() => window.bugle.startTrail())
    await takeSteps(5_000)
    await warmUp.evaluate((stop) => stop())
    await warmUp.dispose()
    const before = await measureHeap()

    await page.evaluate(() => void window.bugle.startTrail())
    await takeSteps(100_000)
    // What was thrown away may be collected a moment later.
    await expect.poll(async () => (await measureHeap()) - before).toBeLessThan(256 * 1_024)
    expect(await page.evaluate(() => window.bugle.report({ title: 'After many steps' }))).toMatchObject({
      status: 'sent',
    })
  })

  test('is off by default, and stops when the app wants it', async ({ scene }) => {
    const page = await scene.open()
    await page.evaluate(async () => {
      const log = window['console']
      const before = [fetch, log.error, history.pushState]
      const stop = window.bugle.startTrail()
      stop()
      const isRestored = [fetch, log.error, history.pushState].every((each, index) => each === before[index])
      await window.bugle.report({ title: `Restored: ${isRestored}` })
    })
    const [issue] = await scene.issues()
    expect(issue?.['title']).toBe('Restored: true')
    expect(scene.gateway.seen.filter(({ line }) => line.startsWith('PUT '))).toEqual([])
  })
})
