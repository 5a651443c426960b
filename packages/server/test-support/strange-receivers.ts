import { createPrivateKey } from 'node:crypto'
import { createServer, type RequestListener } from 'node:http'
import { createServer as createTlsServer } from 'node:https'
import { type AddressInfo, createServer as createTcpServer, type Server, type Socket } from 'node:net'
import { getCACertificates, setDefaultCACertificates } from 'node:tls'
import { afterEach } from 'vitest'

const closers: (() => void)[] = []
afterEach(() => {
  for (const close of closers.splice(0)) close()
})

/** A receiver that speaks HTTP. */
export function listen(listener: RequestListener, at: { host?: string; port?: number } = {}) {
  return start(createServer(listener), at)
}

/** A receiver that sends arbitrary bytes. */
export function listenTcp(talk: (socket: Socket) => void) {
  return start(createTcpServer((socket) => talk(socket.resume())))
}

/** A receiver that responds with the host name of the request. */
export function listenTls() {
  const key = createPrivateKey({ format: 'jwk', key: TEST_KEY }).export({ format: 'pem', type: 'pkcs8' })
  return start(
    createTlsServer({ key, cert: TEST_CERTIFICATE }, (request, response) =>
      response.end(request.headers.host?.split(':')[0]),
    ),
  )
}

/** Sends the first text at once, then repeats the second forever. */
export function drip(socket: Socket, first: string, next = first): void {
  socket.write(first)
  const timer = setInterval(() => socket.write(next), 10)
  socket.on('close', () => clearInterval(timer))
}

/** Until the scope ends, the certificate of {@link listenTls} is trusted. */
export function trustCertificate(): Disposable {
  const before = getCACertificates('default')
  setDefaultCACertificates([...before, TEST_CERTIFICATE])
  return { [Symbol.dispose]: () => setDefaultCACertificates(before) }
}

/** A real server that counts connections and is closed after the test. */
async function start(server: Server, { host = '127.0.0.1', port = 0 } = {}) {
  const sockets = new Set<Socket>()
  let connections = 0
  server.on('connection', (socket: Socket) => {
    connections++
    sockets.add(socket)
    socket.on('error', () => socket.destroy()).on('close', () => sockets.delete(socket))
  })
  closers.push(() => {
    server.close()
    for (const socket of sockets) socket.destroy()
  })
  await new Promise<void>((resolve) => server.listen(port, host, resolve))
  const { port: actualPort } = server.address() as AddressInfo
  return {
    server,
    port: actualPort,
    url: `http://127.0.0.1:${actualPort}/`,
    connections: () => connections,
    open: () => sockets.size,
  }
}

// Created for these tests with `openssl ca -selfsign`; nothing else trusts it.
const TEST_KEY = {
  kty: 'EC',
  crv: 'P-256',
  x: 'DJlxoaXK8UBTdu-GWH-rX4Fm-MRH3VIa9yvXHSZ0ZI0',
  y: 'dPXd-YqgfmdpsFX34UZjC0D3jeqn78lpdT8hgSt2MRY',
  d: 'Id_PAixAMm4RAiBpbm8k7bD_O_qWuaSeAIcfGLG23Ek',
}
const TEST_CERTIFICATE = `-----BEGIN CERTIFICATE-----
MIIBeTCCAR+gAwIBAgIBATAKBggqhkjOPQQDAjAcMRowGAYDVQQDDBFob29rcy5l
eGFtcGxlLmNvbTAgFw0yMDAxMDEwMDAwMDBaGA8yMTI2MDEwMTAwMDAwMFowHDEa
MBgGA1UEAwwRaG9va3MuZXhhbXBsZS5jb20wWTATBgcqhkjOPQIBBggqhkjOPQMB
BwNCAAQMmXGhpcrxQFN274ZYf6tfgWb4xEfdUhr3K9cdJnRkjXT13fmKoH5nabBV
9+FGYwtA943qp+/JaXU/IYErdjEWo1AwTjAcBgNVHREEFTATghFob29rcy5leGFt
cGxlLmNvbTAPBgNVHRMBAf8EBTADAQH/MB0GA1UdDgQWBBQLyqegaJdMECwObwvQ
HOFAtS3ypTAKBggqhkjOPQQDAgNIADBFAiEAhvQy86CVQgKgCqaD8iHsO4V5Wxu1
43Lt+gtZUATGPh0CIEMfOGzAvHmmcZoO1ECAgoTBwUIJSguIX/+yNn2uxVht
-----END CERTIFICATE-----
`
