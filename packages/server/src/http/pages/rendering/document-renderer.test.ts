import { expect, it } from 'vitest'
import { startApp } from '../../../../test-support/start-app.ts'
import { watchTurns } from '../../../../test-support/watch-turns.ts'
import { createDocumentRenderer } from './document-renderer.ts'
import { renderDocument } from './render-document.ts'

/** Those that take longest. */
const PATHS = ['/openapi.json', '/docs/search.json', '/docs/reference', '/docs/changelog']
const PLAIN = { publicUrl: null, look: undefined }

/** Garbage collection now and then makes a turn long too. */
const ATTEMPTS = 3

it('no turn of the event loop waits for the first request for a document', async () => {
  const attempts: number[] = []
  for (let attempt = 0; attempt < ATTEMPTS; attempt++) attempts.push(await longestTurnOfRequests())

  const renderings = watchTurns()
  for (const path of PATHS) expect(await renderDocument({ path, ...PLAIN })).toBeDefined()
  await new Promise(setImmediate)
  expect(Math.min(...attempts)).toBeLessThan(renderings.longestMs / 2)
  renderings.stop()
})

/** While a server that has not rendered anything yet responds. */
async function longestTurnOfRequests(): Promise<number> {
  await using api = await startApp()
  await (await fetch(`${api.url}/healthz`)).text()
  const requests = watchTurns()
  for (const path of PATHS) expect((await fetch(api.url + path)).status).toBe(200)
  const { longestMs } = requests
  requests.stop()
  return longestMs
}

it('starts another thread after the first has ended, and says what is missing', async () => {
  const renderer = createDocumentRenderer(0)
  const texts = [await renderer.render({ path: '/problems', ...PLAIN })]
  await new Promise((resolve) => setTimeout(resolve, 0))
  texts.push(await renderer.render({ path: '/problems', ...PLAIN }))
  expect(texts[0]).toContain('<h1')
  expect(texts[1]).toBe(texts[0])
  expect(await renderer.render({ path: '/docs/nothing', ...PLAIN })).toBeUndefined()
  await renderer.close()
})
