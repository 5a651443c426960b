import { readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { runBugle } from '../../../test-support/run-bugle.ts'
import { temporaryFolder } from '../../../test-support/temporary-folder.ts'

it('a refused import leaves no database behind', async () => {
  using folder = temporaryFolder()
  const file = join(folder.path, 'notes.ndjson')
  writeFileSync(file, 'Dear diary\n')
  const settings = { BUGLE_DATABASE_URL: `sqlite:${join(folder.path, 'data/bugle.db')}` }
  const { code, stderr } = await runBugle(['import', file], settings)
  expect(code).toBe(1)
  expect(stderr).toContain('line 1: ')
  expect(readdirSync(folder.path)).toEqual(['notes.ndjson'])
})
