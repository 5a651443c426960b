import { join } from 'node:path'
import { expect, it } from 'vitest'
import { temporaryFolder } from '../packages/server/test-support/temporary-folder.ts'
import { METRICS_TOKEN, startServer } from './support/start-server.ts'

/** Makes the server print, on a signal, whether it has loaded the library that collects metrics. */
const REPORT_LIBRARY = `data:text/javascript,${encodeURIComponent(`
  import { createRequire } from 'node:module'
  import { isMainThread } from 'node:worker_threads'
  const { cache } = createRequire('file:///')
  const isLoaded = () => Object.keys(cache).some((file) => file.includes('prom-client'))
  if (isMainThread) process.on('SIGUSR2', () => console.log('library loaded:', isLoaded()))
`)}`

it.each([
  ['is not loaded without a token to read them', '', 'false'],
  ['is loaded with a token', METRICS_TOKEN, 'true'],
])('the library that collects metrics %s', async (_, token, isLoaded) => {
  using folder = temporaryFolder()
  await using server = await startServer(join(folder.path, 'bugle.db'), {
    BUGLE_METRICS_TOKEN: token,
    NODE_OPTIONS: `--import=${REPORT_LIBRARY}`,
  })
  process.kill(server.pid, 'SIGUSR2')
  const [, printed] = await server.waitFor(/library loaded: (\w+)/)
  expect(printed).toBe(isLoaded)
})
