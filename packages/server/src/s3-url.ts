import { isAbsolute } from 'node:path'

/** A bucket of an S3-compatible server, and how to use it. */
export interface S3Bucket {
  /** `https://host:port`, without a path. */
  readonly origin: string
  readonly bucket: string
  /** Before every key; empty, or ends with a slash. */
  readonly prefix: string
  readonly region: string
  readonly accessKeyId: string
  readonly secretAccessKey: string
}

export class S3UrlError extends Error {
  override readonly name = 'S3UrlError'
}

export type FolderOrBucket =
  | { readonly kind: 'folder'; readonly path: string }
  | { readonly kind: 'bucket'; readonly bucket: S3Bucket }

const BUCKET = /^[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]$/
const PREFIX = /^[\w.-]+(?:\/[\w.-]+)*$/

/** Reads `s3://KEY:SECRET@host:port/bucket/prefix?region=us-east-1&tls=off`. Errors do not repeat the secret. */
export function parseS3Url(text: string): S3Bucket {
  const url = URL.canParse(text) ? new URL(text) : undefined
  if (url?.protocol !== 's3:' || url.host === '') throw new S3UrlError(`must look like ${EXAMPLE}`)
  const [bucket = '', ...rest] = url.pathname.slice(1).split('/')
  const prefix = rest.filter((part) => part !== '').join('/')
  if (!BUCKET.test(bucket)) throw new S3UrlError('must name a bucket after the host')
  if (prefix !== '' && !PREFIX.test(prefix)) {
    throw new S3UrlError('may have only letters, digits, ".", "_" and "-" in the prefix after the bucket')
  }
  if (url.username === '' || url.password === '')
    throw new S3UrlError('must have an access key and its secret')
  const tls = url.searchParams.get('tls') ?? 'on'
  if (tls !== 'on' && tls !== 'off') throw new S3UrlError('must have tls=on or tls=off')
  return {
    origin: `${tls === 'on' ? 'https' : 'http'}://${url.host}`,
    bucket,
    prefix: prefix === '' ? '' : `${prefix}/`,
    region: url.searchParams.get('region') ?? 'us-east-1',
    accessKeyId: decodeURIComponent(url.username),
    secretAccessKey: decodeURIComponent(url.password),
  }
}

/**
 * Reads the path of a folder, or the URL of a bucket. A mistyped URL must not pass for a folder, because its secret would be shown
 * with the path.
 */
export function parseFolderOrBucket(text: string): FolderOrBucket {
  if (text.startsWith('s3:')) return { kind: 'bucket', bucket: parseS3Url(text) }
  if (isAbsolute(text) || /^\.\.?[/\\]/.test(text)) return { kind: 'folder', path: text }
  throw new S3UrlError(
    'must be an absolute path of a folder, a relative one that begins with "./" or "../", or the URL of a bucket, which begins with "s3://"',
  )
}

const EXAMPLE = 's3://KEY:SECRET@host/bucket'
