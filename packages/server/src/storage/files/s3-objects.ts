import type { S3Bucket } from '../../s3-url.ts'
import { FileStoreUnavailable } from './file-store.ts'
import { requireSuccess, type SendToBucket } from './s3-requests.ts'

/** A page of the list, as S3 limits it. */
const MAX_PAGE_BYTES = 4 * 1024 * 1024

export interface S3Object {
  /** Below the prefix. */
  readonly name: string
  readonly size: number
  /** In milliseconds. */
  readonly storedAt: number
}

/** Every object below the prefix of a bucket. */
export async function* listObjects({ prefix }: S3Bucket, send: SendToBucket): AsyncGenerator<S3Object> {
  for (let token: string | undefined; ; ) {
    const page = await readPage(send, prefix, token)
    yield* objectsIn(page, prefix)
    token = memberOf(page, 'NextContinuationToken')
    if (token === undefined) return
  }
}

async function readPage(send: SendToBucket, prefix: string, token: string | undefined): Promise<string> {
  const query = { 'list-type': '2', prefix, ...(token !== undefined && { 'continuation-token': token }) }
  const response = await requireSuccess(await send({ method: 'GET', key: '', query }))
  let text = ''
  for await (const chunk of response) {
    text += String(chunk)
    if (text.length > MAX_PAGE_BYTES) throw new FileStoreUnavailable('The list of the bucket is too long.')
  }
  return text
}

function objectsIn(page: string, prefix: string): readonly S3Object[] {
  const entries = Array.from(page.matchAll(/<Contents>(.*?)<\/Contents>/gs), ([, entry = '']) => entry)
  return entries.flatMap((entry) => {
    const key = memberOf(entry, 'Key') ?? ''
    if (!key.startsWith(prefix)) return []
    const storedAt = Date.parse(memberOf(entry, 'LastModified') ?? '')
    return [{ name: key.slice(prefix.length), size: Number(memberOf(entry, 'Size')), storedAt }]
  })
}

const ENTITIES: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" }

function memberOf(xml: string, member: string): string | undefined {
  const text = new RegExp(`<${member}>([^<]*)</${member}>`).exec(xml)?.[1]
  return text?.replaceAll(/&(\w+);/g, (whole, name: string) => ENTITIES[name] ?? whole)
}
