// Serves the page and the SDK's file for a script tag, under a policy as strict as they come.
import { readFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { fileURLToPath } from 'node:url'

const { BUGLE_URL = 'http://127.0.0.1:4000', BUGLE_PUBLIC_KEY = '', PORT = '5173' } = process.env
const script = fileURLToPath(new URL('../../dist/bugle-with-widget.js', import.meta.resolve('@bugle/sdk')))
const page = readFileSync(new URL('index.html', import.meta.url), 'utf8')
  .replace('{{endpoint}}', BUGLE_URL)
  .replace('{{publicKey}}', BUGLE_PUBLIC_KEY)
const policy = `default-src 'none'; script-src 'self'; connect-src ${BUGLE_URL}; require-trusted-types-for 'script'`

const server = createServer((request, response) => {
  if (request.url === '/') {
    response.writeHead(200, { 'content-type': 'text/html', 'content-security-policy': policy }).end(page)
  } else if (request.url === '/bugle-with-widget.js') {
    response.writeHead(200, { 'content-type': 'text/javascript' }).end(readFileSync(script))
  } else {
    response.writeHead(404).end()
  }
})
server.listen(Number(PORT), '127.0.0.1', () => {
  process.stdout.write(`http://127.0.0.1:${server.address().port}/\n`)
})
