import { randomBytes } from 'node:crypto'
import { Readable } from 'node:stream'
import { expect, test } from 'vitest'
import { startS3Server } from '../../../test-support/s3-server.ts'
import { parseS3Url } from '../../s3-url.ts'
import { describeFileStore } from '../suites/file-store.contract.ts'
import { FileStoreUnavailable } from './file-store.ts'
import { createS3Store } from './s3-store.ts'

describeFileStore('S3', async () => {
  const server = await startS3Server()
  return {
    store: createS3Store(server.bucket),
    [Symbol.asyncDispose]: () => server[Symbol.asyncDispose](),
  }
})

const name = `1/${randomBytes(16).toString('hex')}` as const

test('a bucket that cannot be reached, or does not exist, is unavailable until it is available again', async () => {
  await using server = await startS3Server()
  const store = createS3Store(server.bucket)
  const missing = createS3Store({ ...server.bucket, bucket: 'missing' })
  const put = () => store.put({ name, size: 1, sha256: DIGEST_OF_A }, oneByte())
  await expect(missing.put({ name, size: 1, sha256: DIGEST_OF_A }, oneByte())).rejects.toThrow('NoSuchBucket')
  await server.stop()
  await expect(put()).rejects.toThrow(FileStoreUnavailable)
  await expect(Readable.from(store.list()).toArray()).rejects.toThrow(FileStoreUnavailable)
  await server.start()
  await put()
  expect(await Readable.from(store.list()).toArray()).toMatchObject([{ name, size: 1 }])
})

test('objects with other names are not listed', async () => {
  await using server = await startS3Server()
  const own = createS3Store(server.bucket)
  const outside = createS3Store({ ...server.bucket, prefix: 'other/' })
  await outside.put({ name, size: 1, sha256: DIGEST_OF_A }, oneByte())
  expect(await Readable.from(own.list()).toArray()).toEqual([])
})

test('neither the location nor an error shows the secret', async () => {
  const bucket = parseS3Url('s3://KEY:s3cret@127.0.0.1:1/files?tls=off')
  const store = createS3Store(bucket)
  expect(store.place).toBe('http://127.0.0.1:1/files/')
  const failure = await store.remove(name).catch((error: unknown) => error)
  expect(failure).toBeInstanceOf(FileStoreUnavailable)
  expect(String((failure as Error).message)).not.toContain('s3cret')
})

const DIGEST_OF_A = 'ca978112ca1bbdcafac231b39a23dc4da786eff8147c4e72b9807785afee48bb'

async function* oneByte(): AsyncGenerator<Uint8Array> {
  yield Buffer.from('a')
}
