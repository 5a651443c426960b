import { describe, expect, it } from 'vitest'
import { fewAtATime } from '../../../test-support/few-at-a-time.ts'
import { NOW, reportFor } from '../../../test-support/storage-stage.ts'
import { DAY, FAILED, LEASE_MS, SECOND, setWebhookStage, TAKEN } from '../../../test-support/webhook-stage.ts'
import { makeWebhook } from '../../domain/webhooks/webhooks.ts'
import type { Claim, WebhookRecord } from '../../model/webhooks.ts'
import type { Storage } from '../storage.ts'

/** How deliveries are claimed, and how attempts are recorded, in every database. `open` returns an empty database each time. */
export function describeDeliveryStorage(name: string, open: () => Promise<Storage & AsyncDisposable>): void {
  describe(`deliveries: ${name}`, () => {
    const stage = setWebhookStage(open)
    const {
      addWebhook,
      change,
      claim,
      fanOut,
      find,
      list,
      commandFor,
      record,
      report,
      reportMany,
      statuses,
    } = stage
    const positions = (claims: readonly Claim[]) => claims.map(({ event }) => event.position)

    it('are counted by the state of their webhooks, in all projects', async () => {
      const [failing, paused] = [await addWebhook(), await addWebhook()]
      await addWebhook()
      await report()
      await report()
      await fanOut(failing)
      await fanOut(paused)
      await change(paused, { status: 'paused' })
      const [claimed] = await claim(NOW, { limit: 1 })
      if (claimed === undefined) throw new Error('nothing was claimed')
      await record(claimed, FAILED)
      await stage.addProject('without-webhooks')
      const other = await stage.addProject('other')
      const inOther = makeWebhook(other, { url: 'https://b.example/', secret: 'whsec_b', createdAt: NOW })
      await stage.storage.webhooks.create(inOther)
      await stage.storage.issues.submit(reportFor(other, {}))
      await stage.storage.deliveries.fanOut(other.id, inOther.id, NOW)
      const deleted = await addWebhook()
      await report()
      await fanOut(deleted)
      await stage.storage.webhooks.delete(commandFor(deleted))
      expect(await stage.storage.deliveries.tally()).toEqual({ active: 2, failing: 1, paused: 1, pending: 5 })
    })

    describe('claiming', () => {
      it('returns each delivery once, with its content', async () => {
        const webhook = await addWebhook()
        const issueId = await report()
        await fanOut(webhook)
        expect(await stage.storage.deliveries.isAnyDue(NOW)).toBe(true)
        const [claimed, ...rest] = await claim()
        expect(rest).toEqual([])
        expect(claimed).toMatchObject({
          webhook,
          project: { id: stage.project.id, name: 'weather', slug: 'weather' },
          event: { position: 1, type: 'issue.created', issueId, issueNumber: 1 },
          issue: { id: issueId, title: 'Blank' },
        })
        expect(await claim()).toEqual([])
        expect(await claim(NOW + LEASE_MS - 1)).toEqual([])
        // The process that had claimed it has exited.
        expect(positions(await claim(NOW + LEASE_MS))).toEqual([1])
      })

      it('gives no webhook more than its share, including its current claims', async () => {
        const busy = await addWebhook()
        await reportMany(5)
        const quiet = await addWebhook()
        await report()
        for (const webhook of [busy, quiet]) await fanOut(webhook)
        const first = await claim(NOW, { perWebhook: 3 })
        expect(positions(first).toSorted()).toEqual([1, 2, 3, 6])
        expect(await claim(NOW, { perWebhook: 3 })).toEqual([])
        for (const claimed of first) if (claimed.event.position < 3) await record(claimed, TAKEN)
        expect(positions(await claim(NOW, { perWebhook: 3 }))).toEqual([4, 5])
      })

      it('respects the total limit', async () => {
        for (let count = 0; count < 3; count++) await addWebhook()
        await reportMany(2)
        for (const { id } of await stage.storage.deliveries.listBehind(10)) {
          await stage.storage.deliveries.fanOut(stage.project.id, id, NOW)
        }
        expect(await claim(NOW, { limit: 4 })).toHaveLength(4)
        expect(await claim(NOW, { limit: 4 })).toHaveLength(2)
      })

      it('skips a paused webhook', async () => {
        const webhook = await addWebhook()
        await report()
        await fanOut(webhook)
        await change(webhook, { status: 'paused' })
        expect(await stage.storage.deliveries.isAnyDue(NOW)).toBe(false)
        expect(await claim()).toEqual([])
        await change(webhook, { status: 'active' })
        expect(positions(await claim())).toEqual([1])
      })

      it('drops deliveries of issues that became security issues, unless the webhook may see them', async () => {
        const open = await addWebhook()
        const full = await addWebhook({ includeSecurity: true })
        const issueId = await report()
        for (const webhook of [open, full]) await fanOut(webhook)
        await stage.storage.issues.change({
          projectId: stage.project.id,
          issueId,
          lanes: ['open'],
          patch: { category: 'security' },
          ifVersions: null,
          actor: null,
          at: NOW,
        })
        expect(await stage.storage.deliveries.countPending(open)).toBe(0)
        expect((await claim()).map(({ webhook }) => webhook.id)).toEqual([full.id])
        expect(await list(open, ['open'])).toEqual([])
        expect(await stage.storage.deliveries.find(commandFor(open, ['open']), 1)).toBeUndefined()
        expect(await stage.storage.deliveries.redeliver(commandFor(open, ['open']), 1, NOW)).toBeUndefined()
        expect(await statuses(open)).toEqual(['1 dropped'])
      })

      it('skips deliveries of a deleted issue', async () => {
        const webhook = await addWebhook()
        const issueId = await report()
        await fanOut(webhook)
        const [claimed] = await claim()
        if (claimed) await record(claimed, FAILED)
        await stage.storage.issues.delete({
          projectId: stage.project.id,
          issueId,
          lanes: ['open'],
          actor: null,
          at: NOW,
        })
        expect(await list(webhook)).toEqual([])
        expect(await stage.storage.deliveries.find(commandFor(webhook), 1)).toBeUndefined()
        expect(await claim(NOW + DAY)).toEqual([])
      })
    })

    describe('attempts', () => {
      async function oneClaim(webhook: WebhookRecord): Promise<Claim> {
        await report()
        await fanOut(webhook)
        const [claimed] = await claim()
        if (claimed === undefined) throw new Error('nothing is due')
        return claimed
      }

      it('that fail are retried, and all of them are kept', async () => {
        const webhook = await addWebhook()
        const claimed = await oneClaim(webhook)
        await record(claimed, FAILED)
        expect(await list(webhook)).toEqual([
          {
            position: 1,
            openPosition: 1,
            eventType: 'issue.created',
            eventAt: NOW,
            status: 'pending',
            createdAt: NOW,
            nextAttemptAt: NOW + 5 * SECOND,
            finishedAt: null,
            attemptCount: 1,
          },
        ])
        expect(await find(webhook)).toMatchObject({ failingSince: NOW, lastSuccessAt: null })
        expect(await claim(NOW + 5 * SECOND - 1)).toEqual([])
        const later = NOW + 5 * SECOND
        for (const again of await claim(later)) await record(again, TAKEN, later)
        expect(await list(webhook)).toMatchObject([
          { status: 'delivered', nextAttemptAt: null, finishedAt: later, attemptCount: 2 },
        ])
        expect(await find(webhook)).toMatchObject({ failingSince: null, lastSuccessAt: later })
        const { retryAfterSeconds: _, ...failed } = FAILED
        const { retryAfterSeconds: __, ...taken } = TAKEN
        expect((await stage.storage.deliveries.find(commandFor(webhook), 1))?.attempts).toEqual([
          { number: 1, at: NOW, ...failed },
          { number: 2, at: later, ...taken },
        ])
        expect(await stage.storage.deliveries.isAnyDue(NOW + DAY)).toBe(false)
      })

      it('that finish too late change nothing', async () => {
        const webhook = await addWebhook()
        const claimed = await oneClaim(webhook)
        const [again] = await claim(NOW + LEASE_MS)
        if (again) await record(again, TAKEN, NOW + LEASE_MS)
        await record(claimed, FAILED, NOW + LEASE_MS)
        expect(await list(webhook)).toMatchObject([{ status: 'delivered', attemptCount: 2 }])
      })

      it('pause a webhook whose endpoint returns 410, and it catches up when it is resumed', async () => {
        const webhook = await addWebhook({ name: 'Team' })
        const claimed = await oneClaim(webhook)
        await record(claimed, { ...FAILED, status: 410 })
        expect(await find(webhook)).toMatchObject({
          status: 'paused',
          pausedReason: 'The endpoint responded with 410 Gone.',
        })
        expect(await stage.listPauses()).toMatchObject([
          {
            type: 'webhook.paused',
            actor: null,
            reason: `Team (${webhook.id}): The endpoint responded with 410 Gone.`,
          },
        ])
        expect(await statuses(webhook)).toEqual(['1 pending'])
        await change(webhook, { status: 'active' }, NOW + SECOND)
        expect(await find(webhook)).toMatchObject({
          status: 'active',
          pausedReason: null,
          failingSince: null,
        })
        expect(positions(await claim(NOW + SECOND))).toEqual([1])
      })

      it('of a hidden webhook pause it without a visible event', async () => {
        const webhook = await addWebhook({ includeSecurity: true })
        await record(await oneClaim(webhook), { ...FAILED, status: 410 })
        const seen = await stage.storage.events.list({
          projectId: stage.project.id,
          lanes: ['open'],
          types: null,
          after: 0,
          limit: 10,
        })
        expect(seen.events.map(({ type }) => type)).toEqual(['issue.created'])
        expect(await stage.listPauses()).toHaveLength(1)
      })

      it('are limited; deliveries that failed before a pause are retried after it', async () => {
        const webhook = await addWebhook()
        let now = NOW
        await report()
        await fanOut(webhook)
        for (let attempt = 1; attempt <= 10; attempt++) {
          const [due] = await claim(now)
          if (due) await record(due, FAILED, now)
          const [delivery] = await list(webhook)
          now = delivery?.nextAttemptAt ?? now
        }
        expect(await list(webhook)).toMatchObject([
          { status: 'failed', attemptCount: 10, nextAttemptAt: null },
        ])
        expect(await claim(now + DAY)).toEqual([])
        const later = NOW + 6 * DAY
        await report()
        await fanOut(webhook, later)
        for (const due of await claim(later)) await record(due, FAILED, later)
        expect((await find(webhook))?.pausedReason).toMatch(/^All attempts have failed for five days/)
        await change(webhook, { status: 'active' }, later)
        expect(await statuses(webhook)).toEqual(['2 pending', '1 pending'])
        const again = await claim(later)
        expect(positions(again)).toEqual([1, 2])
        for (const due of again) await record(due, FAILED, later)
        expect(await list(webhook)).toMatchObject([
          { nextAttemptAt: later + 5 * SECOND },
          { nextAttemptAt: later + 5 * SECOND },
        ])
      })

      it('start over on redelivery', async () => {
        const webhook = await addWebhook()
        await record(await oneClaim(webhook), TAKEN)
        expect(await stage.storage.deliveries.redeliver(commandFor(webhook), 1, NOW)).toMatchObject({
          status: 'pending',
          nextAttemptAt: NOW,
          attempts: [{ number: 1 }],
        })
        const [again] = await claim()
        if (again) await record(again, FAILED)
        expect(await list(webhook)).toMatchObject([{ attemptCount: 2, nextAttemptAt: NOW + 5 * SECOND }])
        expect(await stage.storage.deliveries.redeliver(commandFor(webhook), 2, NOW)).toBeUndefined()
      })
    })

    describe('retention', () => {
      it('deletes old finished deliveries, and keeps pending ones', async () => {
        const webhook = await addWebhook()
        await reportMany(3)
        await fanOut(webhook)
        const [first] = await claim()
        if (first) await record(first, TAKEN)
        await report()
        await fanOut(webhook, NOW + DAY)
        while (await stage.storage.deliveries.expireSome(stage.project.id, NOW + 1));
        expect(await statuses(webhook)).toEqual(['4 pending', '3 pending', '2 pending'])
        expect(await stage.storage.deliveries.find(commandFor(webhook), 1)).toBeUndefined()
      })

      it('works in steps', async () => {
        const webhook = await addWebhook()
        await reportMany(600)
        for (let step = 0; step < 3; step++) await fanOut(webhook)
        const claims = await claim(NOW, { perWebhook: 1_000, limit: 1_000 })
        await fewAtATime(claims, (one) => record(one, TAKEN))
        expect(await stage.storage.deliveries.expireSome(stage.project.id, NOW + 1)).toBe(true)
        expect(await list(webhook)).toHaveLength(100)
        expect(await stage.storage.deliveries.expireSome(stage.project.id, NOW + 1)).toBe(false)
        expect(await list(webhook)).toEqual([])
      })
    })
  })
}
