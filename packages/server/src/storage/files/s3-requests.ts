import { once } from 'node:events'
import * as http from 'node:http'
import * as https from 'node:https'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { AwsV4Signer } from 'aws4fetch'
import type { S3Bucket } from '../../s3-url.ts'
import { FileStoreUnavailable } from './file-store.ts'

/** A server that sends and receives nothing for this long is unreachable. */
const SILENCE_MS = 30_000
/** Connections for everything but uploads. */
const MAX_OTHER_SOCKETS = 64
/** The maximum length of an error body that is read, for the log. */
const MAX_ERROR_CHARS = 500

export interface S3Request {
  readonly method: 'GET' | 'HEAD' | 'PUT' | 'DELETE'
  /** Below the bucket. */
  readonly key: string
  readonly query?: Readonly<Record<string, string>>
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: {
    readonly bytes: AsyncIterable<Uint8Array>
    readonly size: number
    /** `null`: not known yet, so that the bucket checks only the size. */
    readonly sha256: string | null
  }
}

/** Sends signed requests to a bucket, by path: not every server has a name for each bucket. */
export type SendToBucket = (request: S3Request) => Promise<http.IncomingMessage>

/** The digest of no bytes. */
const NOTHING = 'e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855'

export function createSender(bucket: S3Bucket, clock: () => number = Date.now): SendToBucket {
  const transport = bucket.origin.startsWith('https:') ? https : http
  const options = { keepAlive: true, timeout: SILENCE_MS }
  // Slow uploads must not delay anything else. Their number is limited before they get here.
  const uploading = new transport.Agent(options)
  const others = new transport.Agent({ ...options, maxSockets: MAX_OTHER_SOCKETS })

  return async ({ method, key, query = {}, headers = {}, body }) => {
    const url = new URL(`${bucket.origin}/${bucket.bucket}/${key}`)
    for (const [name, value] of Object.entries(query)) url.searchParams.set(name, value)
    const signed = await signRequest(bucket, {
      method,
      url: url.href,
      headers: {
        ...headers,
        'x-amz-content-sha256': body === undefined ? NOTHING : (body.sha256 ?? 'UNSIGNED-PAYLOAD'),
      },
      at: clock(),
    })
    const request = transport.request(url, {
      method,
      agent: method === 'PUT' ? uploading : others,
      headers: { ...signed, ...(body !== undefined && { 'content-length': String(body.size) }) },
    })
    request.setTimeout(SILENCE_MS, () => request.destroy(new Error('the server is silent')))
    const answered = once(request, 'response') as Promise<[http.IncomingMessage]>
    // Checked below; an error of the body takes precedence.
    answered.catch(() => undefined)
    if (body === undefined) request.end()
    // The server may refuse before it has read everything.
    else await Promise.race([pipeline(Readable.from(body.bytes, { objectMode: false }), request), answered])
    const [response] = await answered
    return response
  }
}

interface Unsigned {
  readonly method: string
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  readonly at: number
}

/** The headers of a request with its signature (AWS Signature Version 4). */
export async function signRequest(
  { accessKeyId, secretAccessKey, region }: S3Bucket,
  { method, url, headers, at }: Unsigned,
): Promise<Record<string, string>> {
  const signer = new AwsV4Signer({
    method,
    url,
    headers: { ...headers },
    accessKeyId,
    secretAccessKey,
    region,
    service: 's3',
    // Without it, `Range` would not be signed.
    allHeaders: true,
    datetime: new Date(at).toISOString().replaceAll(/[:-]|\.\d{3}/g, ''),
  })
  const signed = await signer.sign()
  return Object.fromEntries(signed.headers)
}

/** Fails unless the response is a success; the error names the status and S3's own code, never the request. */
export async function requireSuccess(response: http.IncomingMessage): Promise<http.IncomingMessage> {
  const { statusCode = 0 } = response
  if (statusCode >= 200 && statusCode < 300) return response
  const text = await textOf(response)
  const code = /<Code>(\w{1,64})<\/Code>/.exec(text)?.[1]
  throw new FileStoreUnavailable(`The bucket responded with ${statusCode}${code ? ` (${code})` : ''}.`)
}

/** The beginning of an error. */
async function textOf(response: http.IncomingMessage): Promise<string> {
  let text = ''
  for await (const chunk of response) {
    if (text.length < MAX_ERROR_CHARS) text += String(chunk)
  }
  return text.slice(0, MAX_ERROR_CHARS)
}
