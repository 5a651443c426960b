import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { expect, it } from 'vitest'
import { temporaryFolder } from '../../../../test-support/temporary-folder.ts'
import { addProject, reportOf } from '../../../../test-support/transfer-projects.ts'
import { makeWebhook } from '../../../domain/webhooks/webhooks.ts'
import type { Storage } from '../../storage.ts'
import { openSqliteInline, openSqliteStorage } from '../sqlite-storage.ts'
import { releaseLeases } from './release-leases.ts'

const NOW = Date.UTC(2026, 10, 15)
const OBSERVER = { onCrash: () => undefined, onCommit: () => undefined }
const CLAIM = { now: NOW, leaseMs: 30_000, perWebhook: 8, limit: 64 }

const openServer = (path: string) => openSqliteStorage({ path, ...OBSERVER })

/** A webhook with one delivery, claimed. */
async function claimOne(storage: Storage): Promise<void> {
  const project = await addProject(storage, 'weather')
  const webhook = await storage.webhooks.create(
    makeWebhook(project, { url: 'https://a.example/', secret: 'whsec_a', createdAt: NOW }),
  )
  if (typeof webhook === 'string') throw new Error(`the webhook was not created: ${webhook}`)
  await storage.issues.submit(reportOf(project, null, 'Blank'))
  await storage.deliveries.fanOut(project.id, webhook.id, NOW)
  expect(await storage.deliveries.claimDue(CLAIM)).toHaveLength(1)
}

it('the next server immediately takes over the claims of an earlier one', async () => {
  using folder = temporaryFolder()
  const path = join(folder.path, 'bugle.db')
  const first = await openServer(path)
  await claimOne(first)
  await first.close()
  const next = await openServer(path)
  expect(await next.deliveries.claimDue(CLAIM)).toHaveLength(1)
  await next.close()
})

it('a second server does not touch what the first one is sending', async () => {
  using folder = temporaryFolder()
  const path = join(folder.path, 'bugle.db')
  const first = await openServer(path)
  await claimOne(first)
  const second = await openServer(path)
  expect(await second.deliveries.claimDue(CLAIM)).toEqual([])
  expect(await second.deliveries.claimDue({ ...CLAIM, now: NOW + 30_000 })).toHaveLength(1)
  await second.close()
  await first.close()
})

it('a command does not release the claims of a server, nor does a server while a command runs', async () => {
  using folder = temporaryFolder()
  const path = join(folder.path, 'bugle.db')
  const first = await openServer(path)
  await claimOne(first)
  await first.close()
  const command = openSqliteInline(path)
  expect(await command.deliveries.claimDue(CLAIM)).toEqual([])
  const server = await openServer(path)
  expect(await server.deliveries.claimDue(CLAIM)).toEqual([])
  await server.close()
  await command.close()
})

it('ignores a file that is missing or not our database', () => {
  using folder = temporaryFolder()
  const path = join(folder.path, 'other.db')
  expect(releaseLeases(path)).toBe(false)
  using other = new DatabaseSync(path)
  other.exec('CREATE TABLE t (a)')
  other.close()
  expect(releaseLeases(path)).toBe(false)
})
