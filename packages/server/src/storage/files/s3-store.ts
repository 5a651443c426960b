import type { IncomingMessage } from 'node:http'
import type { S3Bucket } from '../../s3-url.ts'
import { FileMissing, type FileName, type FileStore, FileStoreUnavailable, isFileName } from './file-store.ts'
import { watch } from './folder-store.ts'
import { listObjects } from './s3-objects.ts'
import { createSender, requireSuccess, type S3Request } from './s3-requests.ts'

/** Keeps files in an S3-compatible bucket. An object becomes visible when it is complete, so nothing is left unfinished. */
export function createS3Store(bucket: S3Bucket): FileStore {
  const sendTo = createSender(bucket)
  const keyOf = (name: FileName) => bucket.prefix + name

  async function send(request: S3Request): Promise<IncomingMessage> {
    return sendTo(request).catch((cause: unknown) => {
      throw new FileStoreUnavailable('The bucket cannot be reached.', { cause })
    })
  }

  return {
    place: `${bucket.origin}/${bucket.bucket}/${bucket.prefix}`,

    async put({ name, size, sha256 }, bytes) {
      const source = watch(bytes)
      try {
        // The bucket checks the digest too.
        const body = { bytes: source.bytes, size, sha256 }
        const response = await requireSuccess(await send({ method: 'PUT', key: keyOf(name), body }))
        response.resume()
      } catch (error) {
        throw source.failure === undefined ? error : source.failure
      }
    },

    async size(name) {
      const response = await send({ method: 'HEAD', key: keyOf(name) })
      response.resume()
      if (response.statusCode === 404) throw new FileMissing(`${name} does not exist`)
      await requireSuccess(response)
      return Number(response.headers['content-length'])
    },

    async *read(name, { start, end }) {
      const range = end < start ? {} : { range: `bytes=${start}-${end}` }
      const response = await send({ method: 'GET', key: keyOf(name), headers: range })
      // 416: the object is shorter than the range, so the file is not this one.
      if (response.statusCode === 404 || response.statusCode === 416) {
        response.resume()
        throw new FileMissing(`${name} does not exist`)
      }
      await requireSuccess(response)
      try {
        yield* response
      } catch (cause) {
        throw new FileStoreUnavailable('The bucket stopped sending.', { cause })
      } finally {
        // A reader that has stopped must not keep the connection open.
        response.destroy()
      }
    },

    async remove(name) {
      const response = await send({ method: 'DELETE', key: keyOf(name) })
      if (response.statusCode !== 404) await requireSuccess(response)
      response.resume()
    },

    async *list() {
      // Objects with other names are not ours.
      for await (const { name, ...object } of listObjects(bucket, send))
        if (isFileName(name)) yield { name, ...object }
    },

    removeUnfinished: async () => 0,
    space: async () => null,
    close: async () => {},
  }
}
