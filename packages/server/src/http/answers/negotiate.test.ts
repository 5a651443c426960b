import { expect, test } from 'vitest'
import { chooseCoding, prefersMedia } from './negotiate.ts'

test.each([
  [undefined, false],
  ['', false],
  ['*/*', false],
  ['application/json', false],
  ['text/event-stream', true],
  ['TEXT/Event-Stream; Q=0.5', true],
  ['text/event-stream;charset=utf-8', true],
  ['text/event-stream;q=0', false],
  ['text/event-stream;q=0, */*', false],
  ['text/event-stream;q=0.000', false],
  ['text/event-stream;q=2', false],
  ['text/event-stream;q=x', false],
  ['text/event-stream-not', false],
  ['text/html, application/xhtml+xml, */*;q=0.8', false],
  ['text/*', true],
  ['text/*;q=0.5, application/json', false],
  ['text/event-stream, */*', true],
  ['text/event-stream, application/json', false],
  ['application/json, text/event-stream, application/problem+json', false],
  ['text/event-stream;q=0.5, application/json', false],
  ['text/event-stream;q=0.9, application/json;q=0.8', true],
  ['application/json;q=0, */*;q=0.1', true],
])('Accept: %s prefers a stream to JSON: %j', (accept, expected) => {
  expect(prefersMedia(accept, 'text/event-stream', 'application/json')).toBe(expected)
})

test.each([
  [undefined, undefined],
  ['', undefined],
  ['identity', undefined],
  ['gzip', 'gzip'],
  ['gzip, deflate, br', 'br'],
  ['br;q=0.5, gzip;q=0.8', 'gzip'],
  ['br;q=0, gzip', 'gzip'],
  ['br;q=0, gzip;q=0', undefined],
  ['*', 'br'],
  ['*;q=0', undefined],
  ['br;q=0, *', 'gzip'],
  ['identity, gzip;q=0.5', undefined],
  ['identity;q=0.5, gzip;q=0.5', 'gzip'],
  ['identity;q=0, gzip', 'gzip'],
  ['brotli, gzippy', undefined],
])('Accept-Encoding: %s gets %j', (accept, expected) => {
  expect(chooseCoding(accept, ['br', 'gzip'])).toBe(expected)
})
