import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect, test } from 'vitest'
import { parseS3Url } from '../../s3-url.ts'
import { createSender, signRequest } from './s3-requests.ts'

/** The examples of "Authenticating Requests: Using the Authorization Header (AWS Signature Version 4)" in the S3 API reference. */
const EXAMPLES = [
  {
    what: 'GET Object with a range',
    method: 'GET',
    path: '/test.txt',
    headers: {
      range: 'bytes=0-9',
      'x-amz-content-sha256': 'e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855',
    },
    signature: 'f0e8bdb87c964420e857bd35b5d6ed310bd44f0170aba48dd91039c6036bdb41',
  },
  {
    what: 'PUT Object',
    method: 'PUT',
    path: '/test$file.text',
    headers: {
      date: 'Fri, 24 May 2013 00:00:00 GMT',
      'x-amz-storage-class': 'REDUCED_REDUNDANCY',
      'x-amz-content-sha256': '44ce7dd67c959e0d3524ffac1771dfbba87d2b6b4b4e99e42034a8b803f8b072',
    },
    signature: '98ad721746da40c64f1a55b78f14c238d841ea1380cd77a1b5971af0ece108bd',
  },
  {
    what: 'GET Bucket Lifecycle',
    method: 'GET',
    path: '/?lifecycle',
    headers: {
      'x-amz-content-sha256': 'e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855',
    },
    signature: 'fea454ca298b7da1c68078a5d1bdbfbbe0d65c699e0f91ac7a200a0136783543',
  },
  {
    what: 'GET Bucket (List Objects)',
    method: 'GET',
    path: '/?max-keys=2&prefix=J',
    headers: {
      'x-amz-content-sha256': 'e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855',
    },
    signature: '34b48302e7b5fa45bde8084f4b7868a86f0a534bc59db6670ed5711ef69dc6f7',
  },
]

test.each(EXAMPLES)('signs as the published example: $what', async ({ method, path, headers, signature }) => {
  const secret = encodeURIComponent('wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY')
  const bucket = parseS3Url(`s3://AKIAIOSFODNN7EXAMPLE:${secret}@s3.amazonaws.com/examplebucket`)
  const url = `https://examplebucket.s3.amazonaws.com${path}`
  const signed = await signRequest(bucket, { method, url, headers, at: Date.UTC(2013, 4, 24) })
  expect(signed['authorization']).toContain(`Signature=${signature}`)
  expect(signed['authorization']).toContain(
    'Credential=AKIAIOSFODNN7EXAMPLE/20130524/us-east-1/s3/aws4_request',
  )
})

test('slow uploads delay neither each other nor other requests', async () => {
  const uploads = 130
  let begun = 0
  const server = createServer(({ method }, response) => {
    if (method === 'PUT') begun++
    else response.end()
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  const send = createSender(parseS3Url(`s3://id:secret@127.0.0.1:${port}/bucket?tls=off`))
  const leaving = Promise.withResolvers<void>()
  const sending = Array.from({ length: uploads }, (_, index) =>
    send({
      method: 'PUT',
      key: String(index),
      body: { bytes: oneByteAnd(leaving.promise), size: 2, sha256: '' },
    }),
  )
  const ended = Promise.allSettled(sending)
  await expect.poll(() => begun).toBe(uploads)
  const response = await send({ method: 'GET', key: 'other' })
  expect(response.resume().statusCode).toBe(200)
  server.closeAllConnections()
  leaving.resolve()
  await ended
  server.close()
})

async function* oneByteAnd(rest: Promise<void>): AsyncGenerator<Uint8Array> {
  yield Buffer.from('x')
  await rest
}
