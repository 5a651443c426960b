import { createServer } from 'node:http'
import { describe, expect, test } from 'vitest'
import { type EngineScene, setEngineStage } from './engine-stage.ts'
import type { Engine } from './engines.ts'
import { listen } from './listen.ts'

const ENDLESS_BYTES = 500_000_000
/** Counts how much the page reads of each response, because how much the server can send depends on the machine. */
const COUNT_READS = `<script>{
  const { prototype } = ReadableStreamDefaultReader
  const { read } = prototype
  window.bytesRead = new Map()
  prototype.read = async function () {
    const result = await read.call(this)
    bytesRead.set(this, (bytesRead.get(this) ?? 0) + (result.value?.length ?? 0))
    return result
  }
}</script>`
const SCRIPT_TYPE = { 'content-type': 'text/javascript' }

interface FileRow {
  readonly name: string
  readonly state: string
  readonly size: number
}

/** What the built SDK must do in every engine. */
export function describeEngine(name: string, start: () => Promise<Engine>): void {
  describe(`in ${name}, what is built`, () => {
    const stage = setEngineStage(start)
    const { setScene } = stage

    async function titlesOf(scene: EngineScene): Promise<readonly unknown[]> {
      return (await scene.issues()).map(({ title }) => title)
    }

    /** Opens a page with this script in a module that has imported the SDK; resolves to its `result`. */
    async function runPage(script: string, head = ''): Promise<unknown> {
      const page = await stage.engine.open(
        stage.site.page(`<!doctype html>${head}<title>App</title><script type="module">
import * as sdk from '/sdk/esm/browser.js'
window.warnings = []
console.warn = (line) => warnings.push(line)
window.result = (async () => { ${script} })().then(JSON.stringify, String)
  </script>`),
      )
      try {
        // A module runs before the page counts as loaded.
        return JSON.parse(String(await page.evaluate('window.result')))
      } finally {
        await page.close()
      }
    }

    test('reports, and diagnoses problems', async () => {
      await using scene = await setScene()
      const result = await runPage(`sdk.init(${scene.options})
  const { status } = await sdk.report({ title: 'From ' + navigator.product })
  return { status, diagnosis: await sdk.diagnose(), warnings }`)
      expect(result).toMatchObject({
        status: 'sent',
        diagnosis: { status: 200, waiting: 0, isDurable: true },
        warnings: [],
      })
      expect(await titlesOf(scene)).toEqual(['From Gecko'])
    })

    test('takes a report in the widget, in a language of its own chunk, and confirms it', async () => {
      await using scene = await setScene()
      const result = await runPage(`sdk.init(${scene.options})
  const { defineWidget } = await import('/sdk/esm/widget.js')
  const until = async (find) => {
    for (;;) {
      const found = find()
      if (found) return found
      await new Promise((resolve) => setTimeout(resolve, 20))
    }
  }
  defineWidget({ fields: [{ name: 'plan', label: 'Plan' }] })
  const element = document.createElement('bugle-report')
  element.lang = 'de'
  element.open()
  document.body.append(element)
  const form = await until(() => element.shadowRoot.querySelector('form'))
  const { top, bottom } = form.getBoundingClientRect()
  form.elements.namedItem('title').value = 'Aus dem Formular'
  form.elements.namedItem('metadata.plan').value = 'Team'
  form.requestSubmit()
  const status = await until(() => form.className === 'end' && form.querySelector('[role=status]').textContent)
  return { status, isVisible: top > 0 && bottom <= innerHeight, hasFocus: !!element.shadowRoot.activeElement }`)
      expect(result).toEqual({
        status: 'Vielen Dank! Ihre Meldung ist angekommen.Meldung Nr. 1',
        isVisible: true,
        hasFocus: true,
      })
      expect(await titlesOf(scene)).toEqual(['Aus dem Formular'])
    })

    test('reports a refused key by the result, the diagnosis and one warning', async () => {
      await using scene = await setScene()
      const result = await runPage(`sdk.init({ ...${scene.options}, publicKey: 'bgl_pub_${'0'.repeat(36)}' })
  const results = [await sdk.report({ title: 'One' }), await sdk.report({ title: 'Two' })]
  return { reasons: results.map(({ reason }) => reason), obstacle: (await sdk.diagnose()).obstacle, warnings }`)
      expect(result).toEqual({
        reasons: ['key-refused', 'key-refused'],
        obstacle: 'key-refused',
        warnings: ['[bugle] publicKey refused'],
      })
    })

    test.each([-40, 40])('delivers queued reports although the clock was set by %d days', async (days) => {
      await using scene = await setScene()
      scene.gateway.mishap = { kind: 'break' }
      const start = `sdk.init(${scene.options})`
      // Before the module runs, because it captures the clock.
      const clock = `<script>{ const { now } = Date; Date.now = () => now() + ${days} * 86_400_000 }</script>`
      await runPage(`${start}; return sdk.report({ title: 'Right time' })`)
      await runPage(`${start}; return sdk.report({ title: 'Wrong time' })`, clock)
      scene.gateway.mishap = undefined
      const isEmpty = await runPage(`${start}; return sdk.flush(20_000)`, days > 0 ? clock : '')
      expect(isEmpty).toBe(true)
      expect((await titlesOf(scene)).toSorted()).toEqual(['Right time', 'Wrong time'])
    })

    test('keeps two files of a queued report, and sends each once from the next page', async () => {
      await using scene = await setScene()
      const { gateway, project } = scene
      const start = `sdk.init(${scene.options})
  const { enableFiles } = await import('/sdk/esm/files/browser.js')
  enableFiles()`
      gateway.mishap = { kind: 'break' }
      const queued = await runPage(`${start}
  const content = new Uint8Array(2_000_000).fill(7)
  const attachments = [{ name: 'screen.bin', content }, { name: 'app.log', content: 'log' }]
  return sdk.report({ title: 'With files', attachments })`)
      expect(queued).toMatchObject({ status: 'queued' })
      gateway.mishap = undefined
      expect(await runPage(`${start}; return sdk.flush(60_000)`)).toBe(true)
      const key = project.secretKey
      const { body: issues } = await stage.app.send('GET', '/v1/issues', { key })
      expect(issues.data).toMatchObject([{ title: 'With files', reportCount: 1 }])
      const { body: files } = await stage.app.send('GET', `/v1/issues/${issues.data[0].id}/attachments`, {
        key,
      })
      expect(files.data.map(({ name, state, size }: FileRow) => [name, state, size]).toSorted()).toEqual([
        ['app.log', 'received', 3],
        ['screen.bin', 'received', 2_000_000],
      ])
      const uploads = gateway.seen.filter(({ line, status }) => line.startsWith('PUT ') && status === 201)
      expect(uploads).toHaveLength(2)
    })

    test('reads 1 MB of an endless response, and keeps the report', async () => {
      let sent = 0
      await using server = createServer((_, response) => {
        response.writeHead(200, { 'access-control-allow-origin': '*', 'access-control-allow-headers': '*' })
        const write = () => {
          while (sent < ENDLESS_BYTES && !response.destroyed) {
            sent += 1_048_576
            if (!response.write(' '.repeat(1_048_576))) return
          }
        }
        response.on('drain', write)
        write()
      })
      await using scene = await setScene()
      const endpoint = await listen(server)
      const result = await runPage(
        `sdk.init({ ...${scene.options}, endpoint: '${endpoint}' })
  const { status, reason } = await sdk.report({ title: 'Endless' })
  await sdk.close(0)
  return { status, reason, bytesOfLongest: Math.max(...bytesRead.values()) }`,
        COUNT_READS,
      )
      // A browser may keep the connection open, and the server would wait for it to close.
      server.closeAllConnections()
      expect(result).toEqual({ status: 'queued', reason: 'retrying', bytesOfLongest: expect.any(Number) })
      const { bytesOfLongest } = result as { bytesOfLongest: number }
      expect(bytesOfLongest).toBeGreaterThan(1_000_000)
      // The last chunk may be longer than the remaining length.
      expect(bytesOfLongest).toBeLessThan(8_000_000)
    })

    test('works in a module worker, also after being offline', async () => {
      await using scene = await setScene()
      const worker = stage.site.page(
        `import { flush, init, report } from '/sdk/esm/browser.js'
  self.onerror = (message) => postMessage(String(message))
  init(${scene.options})
  const { status } = await report({ title: 'From a worker' })
  dispatchEvent(new Event('online'))
  postMessage(status + (await flush()))`,
        SCRIPT_TYPE,
      )
      const result = await runPage(`const worker = new Worker('${worker}', { type: 'module' })
  return new Promise((resolve) => {
    worker.onmessage = ({ data }) => resolve(data)
    worker.onerror = ({ message }) => resolve(message)
  })`)
      expect(result).toBe('senttrue')
      expect(await titlesOf(scene)).toEqual(['From a worker'])
    })

    test('works with importScripts', async () => {
      await using scene = await setScene()
      const worker = stage.site.page(
        `importScripts('${stage.site.url}/sdk/bugle.js')
  Bugle.init(${scene.options})
  Bugle.report({ title: 'From a classic worker' }).then(({ status }) => postMessage(status))`,
        SCRIPT_TYPE,
      )
      const result = await runPage(`const worker = new Worker('${worker}')
  return new Promise((resolve) => {
    worker.onmessage = ({ data }) => resolve(data)
    worker.onerror = ({ message }) => resolve(message)
  })`)
      expect(result).toBe('sent')
    })

    test.each(['', 'type="module"', 'async', 'defer'])(
      'works as <script %s>, and is one client',
      async (kind) => {
        await using scene = await setScene()
        const { gateway, project } = scene
        const head = `<script ${kind} src="/sdk/bugle.js" data-endpoint="${gateway.url}" data-public-key="${project.publicKey}"></script>`
        const result = await runPage(
          `while (!window.Bugle) await new Promise((resolve) => setTimeout(resolve, 10))
  const results = [await Bugle.report({ title: 'From the script' }), await sdk.report({ title: 'From a module' })]
  return results.map(({ status }) => status)`,
          head,
        )
        expect(result).toEqual(['sent', 'sent'])
        expect(await titlesOf(scene)).toHaveLength(2)
      },
    )
  })
}
