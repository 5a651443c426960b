import { join } from 'node:path'
import { expect, test } from 'vitest'
import { createRandom } from '../../packages/server/src/demo/random.ts'
import { temporaryFolder } from '../../packages/server/test-support/temporary-folder.ts'
import { printedKeys, startServerOn } from '../support/start-server.ts'
import { PATIENT, rounds, SEED } from './effort.ts'
import { expectIntact } from './expect-intact.ts'
import { note } from './figures.ts'
import { createLedger } from './ledger.ts'
import { settleAll, startSending } from './send.ts'

const REPORTS = rounds({ short: 300, long: 5_000 })

test('two servers share one SQLite file, and survive each other', PATIENT, async () => {
  using folder = temporaryFolder()
  const databaseUrl = `sqlite:${join(folder.path, 'bugle.db')}`
  const ledger = createLedger(createRandom(SEED))
  await using one = await startServerOn(databaseUrl)
  const { secretKey: key } = await printedKeys(one)
  await using other = await startServerOn(databaseUrl)

  await using toOne = startSending({ url: one.url, key, ledger })
  await using toOther = startSending({ url: other.url, key, ledger })
  await Promise.all([toOne.reaches(REPORTS), toOther.reaches(REPORTS)])
  await one.end('SIGKILL')
  await toOne.stop()
  await toOther.stop()
  await settleAll({ url: other.url, key, ledger })
  const findings = await expectIntact(databaseUrl, ledger)
  expect(findings.acknowledged).toBe(ledger.sent.size)
  note({ fault: 'SQLite: two servers on one file, one of them killed', rounds: 1, ...findings })
})
