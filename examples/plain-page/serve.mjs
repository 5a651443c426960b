// Serves the page and the SDK's file for a script tag, with a strict content security policy.
import { readFileSync } from 'node:fs'
import { createServer } from 'node:http'

const { BUGLE_URL = 'http://127.0.0.1:4000', BUGLE_PUBLIC_KEY = '', PORT = '5173' } = process.env
const files = new URL('../../dist/', import.meta.resolve('@bugle/sdk'))
const page = readFileSync(new URL('index.html', import.meta.url), 'utf8')
  .replace('{{endpoint}}', BUGLE_URL)
  .replace('{{publicKey}}', BUGLE_PUBLIC_KEY)
const policy = `default-src 'none'; script-src 'self'; connect-src ${BUGLE_URL}; require-trusted-types-for 'script'`

const server = createServer((request, response) => {
  if (request.url === '/') {
    response.writeHead(200, { 'content-type': 'text/html', 'content-security-policy': policy }).end(page)
  } else if (/^\/bugle-widget(-[a-z]+\.m|\.)js$/.test(request.url)) {
    // Also the parts that it loads on demand, such as languages.
    const file = readFileSync(new URL(`.${request.url}`, files))
    response.writeHead(200, { 'content-type': 'text/javascript' }).end(file)
  } else {
    response.writeHead(404).end()
  }
})
server.listen(Number(PORT), '127.0.0.1', () => {
  process.stdout.write(`http://127.0.0.1:${server.address().port}/\n`)
})
