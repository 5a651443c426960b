import { once } from 'node:events'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { startBugle } from '../../test-support/run-bugle.ts'
import { temporaryFolder } from '../../test-support/temporary-folder.ts'

/** Prints, when the process gets the signal, whether it has loaded the library that counts and measures. */
const TELL_LOADED = `data:text/javascript,${encodeURIComponent(`
  import { createRequire } from 'node:module'
  import { isMainThread } from 'node:worker_threads'
  const { cache } = createRequire('file:///')
  const isLoaded = () => Object.keys(cache).some((file) => file.includes('prom-client'))
  if (isMainThread) process.on('SIGUSR2', () => console.log(isLoaded() ? 'metrics loaded' : 'metrics not loaded'))
`)}`

it.each([
  ['without a token, metrics are not even loaded', {}, 'metrics not loaded'],
  ['with a token, they are', { BUGLE_METRICS_TOKEN: 'a-token-of-the-operator' }, 'metrics loaded'],
])('%s', async (_, settings, printed) => {
  using folder = temporaryFolder()
  const server = startBugle(['serve'], {
    BUGLE_DATABASE_URL: `sqlite:${join(folder.path, 'bugle.db')}`,
    BUGLE_PORT: '0',
    NODE_OPTIONS: `--import=${TELL_LOADED}`,
    ...settings,
  })
  const ended = once(server, 'close')
  let output = ''
  for (const stream of [server.stdout, server.stderr]) stream.on('data', (chunk) => (output += chunk))
  try {
    await expect.poll(() => output).toContain('listening on')
    server.kill('SIGUSR2')
    await expect.poll(() => output).toMatch(/metrics (not )?loaded/)
    expect(output).toContain(printed)
  } finally {
    server.kill('SIGTERM')
    await ended
  }
})
