import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'
import { readDump } from './dumps.ts'

/** Made by pg_dump. */
const DUMP = readFileSync(
  fileURLToPath(new URL('../../../test-support/schemas/postgres-dump.sql', import.meta.url)),
  'utf8',
)

describe('a dump', () => {
  it('is recounted', async () => {
    expect(await read(DUMP)).toEqual({
      schemaVersion: 4,
      counts: { projects: 1, issues: 8, reports: 19, events: 28 },
      faults: [],
    })
  })

  it.each([
    ['lost its end', DUMP.slice(0, -200), /its end is missing/],
    ['was cut in the middle', DUMP.slice(0, DUMP.indexOf('COPY public.search')), /rows of the table search/],
    [
      'lost an issue',
      DUMP.replace(/(?<=COPY public\.issues .*\n).*\n/, ''),
      /^counters that differ from a recount: \d$/,
    ],
    [
      'counts another way',
      DUMP.replace(/(?<=\tstatus\topen\t)\d+/, '7'),
      /^counters that differ from a recount: 1$/,
    ],
    [
      'would repeat numbers',
      DUMP.replace('\t8\t28\t0\t0\t', '\t7\t28\t0\t0\t'),
      /numbers would be given out again/,
    ],
    ['is of something else', DUMP.replaceAll('schema_version', 'versions'), /no database of Bugle/],
  ])('that %s is found out', async (_, dump, fault) => {
    expect(dump).not.toBe(DUMP)
    expect((await read(dump)).faults).toContainEqual(expect.stringMatching(fault))
  })
})

async function read(dump: string) {
  return readDump(
    (async function* () {
      yield* dump.split('\n')
    })(),
  )
}
