import { expect, test } from 'vitest'
import { parseFolderOrBucket, parseS3Url } from './s3-url.ts'

test('reads a bucket with its prefix, region and credentials', () => {
  expect(parseS3Url('s3://KEY:se%2Fcret@minio.lan:9000/files/a/b?region=eu-1&tls=off')).toEqual({
    origin: 'http://minio.lan:9000',
    bucket: 'files',
    prefix: 'a/b/',
    region: 'eu-1',
    accessKeyId: 'KEY',
    secretAccessKey: 'se/cret',
  })
  expect(parseS3Url('s3://K:S@s3.example.com/files')).toMatchObject({
    origin: 'https://s3.example.com',
    prefix: '',
    region: 'us-east-1',
  })
})

test.each([
  ['another scheme', 'https://K:secret@host/files'],
  ['no bucket', 's3://K:secret@host/'],
  ['no credentials', 's3://host/files'],
  ['a prefix with odd characters', 's3://K:secret@host/files/a%20b'],
  ['an unknown tls', 's3://K:secret@host/files?tls=maybe'],
])('refuses %s without repeating the secret', (_, url) => {
  expect(() => parseS3Url(url)).toThrow(/^(?!.*secret@)/)
})

test.each(['/backups', './backups', '../backups'])('takes %s as a folder', (path) => {
  expect(parseFolderOrBucket(path)).toEqual({ kind: 'folder', path })
})

test.each([
  's3//KEY:secret@host/bucket',
  'KEY:secret@host/bucket',
  'S3://KEY:secret@host/bucket',
  'https://KEY:secret@host/bucket',
  'backups',
])('takes %s as neither a folder nor a bucket, without repeating the secret', (text) => {
  expect(() => parseFolderOrBucket(text)).toThrow(/^(?!.*secret@)must be an absolute path .* "s3:\/\/"$/)
})
