import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { describe, expect, it } from 'vitest'
import { startSubmitter } from './submitter.ts'

describe('submissions during a request', () => {
  it('that are refused fail the measurement, but not the process that stops the server', async () => {
    let status = 201
    const server = createServer((request, response) => {
      request.resume().on('end', () => response.writeHead(status).end())
    }).listen(0, '127.0.0.1')
    await once(server, 'listening')
    await using submitter = await startSubmitter({
      url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
      key: 'any',
    })
    submitter.start()
    await once(server, 'request')
    await sleep(10)
    expect((await submitter.stop()).length).toBeGreaterThan(0)
    status = 503
    submitter.start()
    await once(server, 'request')
    await sleep(10)
    await expect(submitter.stop()).rejects.toThrow('a submission beside got the status 503')
    server.closeAllConnections()
    server.close()
  })
})
