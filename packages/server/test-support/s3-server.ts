import { createRequire } from 'node:module'
import { parseS3Url, type S3Bucket } from '../src/s3-url.ts'
import { temporaryFolder } from './temporary-folder.ts'

/** The server has no types. It checks signatures for their form only; `s3-requests.test.ts` checks ours. */
interface S3Server {
  run(): Promise<{ readonly port: number }>
  close(): Promise<void>
}
type S3ServerClass = new (options: object) => S3Server

/** A bucket on a local S3 server. */
export interface TestBucket extends AsyncDisposable {
  readonly url: string
  readonly bucket: S3Bucket
  /** Makes the server unreachable, and reachable again at the same address. */
  stop(): Promise<void>
  start(): Promise<void>
}

export async function startS3Server(): Promise<TestBucket> {
  const S3rver = createRequire(import.meta.url)('s3rver') as S3ServerClass
  const folder = temporaryFolder()
  let server: S3Server | undefined
  let port = 0

  async function start(): Promise<void> {
    const place = { address: '127.0.0.1', port, directory: folder.path }
    server = new S3rver({ ...place, silent: true, configureBuckets: [{ name: 'files', configs: [] }] })
    port = (await server.run()).port
  }

  async function stop(): Promise<void> {
    await server?.close()
    server = undefined
  }

  await start()
  const url = `s3://S3RVER:S3RVER@127.0.0.1:${port}/files/bugle/own?tls=off`
  return {
    url,
    bucket: parseS3Url(url),
    start,
    stop,
    async [Symbol.asyncDispose]() {
      await stop()
      folder[Symbol.dispose]()
    },
  }
}
