import type { IncomingMessage } from 'node:http'
import type { S3Bucket } from '../../s3-url.ts'
import {
  FileMissing,
  type FileName,
  type FileStore,
  FileStoreUnavailable,
  isFileName,
  type StoredFile,
} from './file-store.ts'
import { watch } from './folder-store.ts'
import { createSender, requireSuccess, type S3Request } from './s3-requests.ts'

/** A page of the list, as S3 limits it. */
const MAX_PAGE_BYTES = 4 * 1024 * 1024

/** Keeps files in an S3-compatible bucket. An object becomes visible when it is complete, so nothing is left unfinished. */
export function createS3Store(bucket: S3Bucket): FileStore {
  const sendTo = createSender(bucket)
  const keyOf = (name: FileName) => bucket.prefix + name

  async function send(request: S3Request): Promise<IncomingMessage> {
    return sendTo(request).catch((cause: unknown) => {
      throw new FileStoreUnavailable('The bucket cannot be reached.', { cause })
    })
  }

  async function readPage(token: string | undefined): Promise<string> {
    const query = {
      'list-type': '2',
      prefix: bucket.prefix,
      ...(token !== undefined && { 'continuation-token': token }),
    }
    const response = await requireSuccess(await send({ method: 'GET', key: '', query }))
    let text = ''
    for await (const chunk of response) {
      text += String(chunk)
      if (text.length > MAX_PAGE_BYTES) throw new FileStoreUnavailable('The list of the bucket is too long.')
    }
    return text
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
      for (let token: string | undefined; ; ) {
        const page = await readPage(token)
        yield* filesIn(page, bucket.prefix)
        token = memberOf(page, 'NextContinuationToken')
        if (token === undefined) return
      }
    },

    removeUnfinished: async () => 0,
    space: async () => null,
    close: async () => {},
  }
}

/** The files in a page of the list. Objects with other names are not ours. */
function filesIn(page: string, prefix: string): readonly StoredFile[] {
  return Array.from(page.matchAll(/<Contents>(.*?)<\/Contents>/gs), ([, entry = '']) => entry).flatMap(
    (entry) => {
      const key = memberOf(entry, 'Key') ?? ''
      const name = key.startsWith(prefix) ? key.slice(prefix.length) : ''
      const size = Number(memberOf(entry, 'Size'))
      const storedAt = Date.parse(memberOf(entry, 'LastModified') ?? '')
      return isFileName(name) ? [{ name, size, storedAt }] : []
    },
  )
}

const ENTITIES: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" }

function memberOf(xml: string, member: string): string | undefined {
  const text = new RegExp(`<${member}>([^<]*)</${member}>`).exec(xml)?.[1]
  return text?.replaceAll(/&(\w+);/g, (whole, name: string) => ENTITIES[name] ?? whole)
}
