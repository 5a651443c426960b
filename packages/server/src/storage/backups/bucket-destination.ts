import { createHash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { stat } from 'node:fs/promises'
import type { S3Bucket } from '../../s3-url.ts'
import { listObjects } from '../files/s3-objects.ts'
import { createSender, requireSuccess } from '../files/s3-requests.ts'
import type { Destination, FoundFile } from './destination.ts'

/** Keeps backups in a bucket. An object becomes visible when it is complete. */
export function createBucketDestination(bucket: S3Bucket): Destination {
  const send = createSender(bucket)
  return {
    place: `${bucket.origin}/${bucket.bucket}/${bucket.prefix}`,
    partOf: (databasePath, series) => `${databasePath}.backup-${series}.part`,

    async put(part, name) {
      const sha256 = await digestOf(part)
      // The bucket checks the digest too.
      const body = { bytes: createReadStream(part), size: (await stat(part)).size, sha256 }
      const response = await send({ method: 'PUT', key: bucket.prefix + name, body })
      ;(await requireSuccess(response)).resume()
    },

    async list() {
      const files: FoundFile[] = []
      for await (const { name, size } of listObjects(bucket, send)) files.push({ name, bytes: size })
      return files
    },

    async remove(name) {
      const response = await send({ method: 'DELETE', key: bucket.prefix + name })
      ;(await requireSuccess(response)).resume()
    },
  }
}

async function digestOf(file: string): Promise<string> {
  const hash = createHash('sha256')
  for await (const bytes of createReadStream(file)) hash.update(bytes as Buffer)
  return hash.digest('hex')
}
