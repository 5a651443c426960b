import { createServer } from 'node:net'
import { expect, test } from 'vitest'
import { failingToListen, openableUrl } from './listening.ts'

test.for([
  ['http://[::]:4000', 'http://localhost:4000'],
  ['http://0.0.0.0:4000', 'http://127.0.0.1:4000'],
  ['http://[::1]:4000', 'http://[::1]:4000'],
  ['http://10.0.0.1:4000', 'http://10.0.0.1:4000'],
] as const)('%s is opened as %s', ([address, opened]) => {
  expect(openableUrl(address)).toBe(opened)
})

test('an address of another machine is reported with the setting to change', async () => {
  const config = { host: '192.0.2.1', port: 4000 }
  const listening = new Promise((resolve, reject) => {
    createServer()
      .once('error', reject)
      .listen(config, () => resolve(undefined))
  })
  await expect(listening.catch(failingToListen(config))).rejects.toThrow(
    /^cannot listen on 192\.0\.2\.1:4000: .*; set BUGLE_HOST to an address of this machine$/,
  )
})

test.for([
  ['EADDRINUSE', 'set BUGLE_PORT to another port'],
  ['EACCES', 'set BUGLE_PORT to another port, 1024 or higher'],
  ['EOTHER', 'check BUGLE_HOST and BUGLE_PORT'],
] as const)('%s comes with advice', ([code, advice]) => {
  const error = Object.assign(new Error(`listen ${code}`), { code })
  expect(() => failingToListen({ host: '127.0.0.1', port: 80 })(error)).toThrow(advice)
})
