import fc, { type Arbitrary } from 'fast-check'
import { type Operation, parametersIn } from './openapi.ts'

export type FuzzHeaders = Readonly<Record<string, string | undefined>>

const visible = fc.string({
  unit: fc.integer({ min: 0x21, max: 0x7e }).map((code) => String.fromCharCode(code)),
  maxLength: 40,
})

/** The headers of the operation, with valid values or none, and sometimes a troublesome one. */
export function headersFor(operation: Operation): Arbitrary<FuzzHeaders> {
  const own = parametersIn(operation, 'header').map(({ name }) => [
    name.toLowerCase(),
    HEADER_VALUES[name] ?? visible,
  ])
  const known = fc.record(Object.fromEntries(own) as Record<string, Arbitrary<string>>, { requiredKeys: [] })
  const strange = fc.record(STRANGE_HEADERS, { requiredKeys: [] })
  return fc
    .tuple(
      fc.oneof({ arbitrary: known, weight: 3 }, { arbitrary: fc.constant({}), weight: 3 }),
      fc.oneof({ arbitrary: fc.constant({}), weight: 12 }, { arbitrary: strange, weight: 1 }),
    )
    .map(([one, other]) => ({ ...one, ...other }))
}

const HEADER_VALUES: Readonly<Record<string, Arbitrary<string>>> = {
  Accept: fc.constantFrom('application/json', 'text/event-stream', '*/*', 'image/png'),
  'Last-Event-ID': fc.oneof(fc.nat().map(String), visible),
  'If-Match': fc.oneof(fc.constantFrom('*', '"1-1-x"', 'W/"1"', '""', '"1'), visible),
  'If-None-Match': fc.oneof(fc.constantFrom('*', '"1-1-x"', 'W/"1"', '""', '"1'), visible),
  'Idempotency-Key': fc.oneof(visible, fc.constantFrom('a', '"a"', '"', 'x'.repeat(200), 'caf\u00e9')),
  'Bugle-Csrf': fc.constantFrom('1', '1', '1', '0', 'x'),
}

export const STRANGE_HEADERS: Readonly<Record<string, Arbitrary<string>>> = {
  origin: fc.constantFrom('https://app.example', 'https://elsewhere.example', 'null', ''),
  'content-encoding': fc.constantFrom('gzip', 'identity', ''),
  cookie: visible,
  range: fc.constant('bytes=0-1'),
  'x-forwarded-for': fc.constantFrom('203.0.113.7', 'x', '::1, 127.0.0.1'),
  'x-http-method-override': fc.constant('DELETE'),
  'content-type': fc.constantFrom(
    'text/plain',
    'application/xml',
    'application/json; charset=utf-7',
    'x',
    '',
  ),
  accept: fc.constantFrom('text/event-stream', 'text/html'),
}
