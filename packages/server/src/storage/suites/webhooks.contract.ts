import { MAX_WEBHOOKS } from '@bugle/contract/vocabulary'
import { describe, expect, it } from 'vitest'
import { NOW } from '../../../test-support/storage-stage.ts'
import { DAY, FAILED, SECOND, setWebhookStage, TAKEN } from '../../../test-support/webhook-stage.ts'
import { makeProject } from '../../domain/projects/projects.ts'
import { makeWebhook } from '../../domain/webhooks/webhooks.ts'
import type { Storage } from '../storage.ts'

/** How every database stores webhooks, and how they follow the log. `open` returns an empty database each time. */
export function describeWebhookStorage(name: string, open: () => Promise<Storage & AsyncDisposable>): void {
  describe(`webhooks: ${name}`, () => {
    const stage = setWebhookStage(open)
    const {
      addProject,
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

    describe('webhooks', () => {
      it('are found in their project, and listed in order of creation', async () => {
        const first = await addWebhook({ name: 'Größe', eventTypes: ['issue.created'] })
        const second = await addWebhook({ includeSecurity: true, format: 'slack' })
        const other = await addProject('maps')
        expect(first).toMatchObject({ number: 1, status: 'active', name: 'Größe', failingSince: null })
        expect(await find(first)).toEqual(first)
        expect(await stage.storage.webhooks.find(other.id, first.id)).toBeUndefined()
        const listing = { projectId: stage.project.id, afterNumber: 0, limit: 10 }
        expect(await stage.storage.webhooks.list({ ...listing, lanes: ['open', 'security'] })).toEqual([
          first,
          second,
        ])
        expect(await stage.storage.webhooks.list({ ...listing, lanes: ['open'] })).toEqual([first])
        expect(
          await stage.storage.webhooks.list({ ...listing, lanes: ['open', 'security'], afterNumber: 1 }),
        ).toEqual([second])
        expect(
          await stage.storage.webhooks.list({ ...listing, projectId: other.id, lanes: ['open'] }),
        ).toEqual([])
      })

      it('belong to a project that exists', async () => {
        const gone = makeProject({ ...stage.project, slug: 'gone' })
        const fields = { url: 'https://a.example/', secret: 'whsec_a', createdAt: NOW }
        expect(await stage.storage.webhooks.create(makeWebhook(gone, fields))).toBe('no-project')
      })

      it('are limited in number, in each lane separately', async () => {
        const create = (includeSecurity: boolean) =>
          stage.storage.webhooks.create(
            makeWebhook(stage.project, {
              url: 'https://a.example/',
              secret: 'whsec_a',
              createdAt: NOW,
              includeSecurity,
            }),
          )
        const created = await Promise.all(Array.from({ length: MAX_WEBHOOKS + 3 }, () => create(false)))
        expect(created.filter((outcome) => outcome === 'too-many')).toHaveLength(3)
        const hidden = await addWebhook({ includeSecurity: true })
        expect(
          await stage.storage.webhooks.change({
            ...commandFor(hidden),
            patch: { includeSecurity: false, url: 'https://b.example/' },
            actor: null,
            at: NOW,
          }),
        ).toBe('too-many')
        expect(await find(hidden)).toEqual(hidden)
        const [first] = created.filter((outcome) => typeof outcome === 'object')
        if (first === undefined) throw new Error('no webhook was created')
        await stage.storage.webhooks.delete(commandFor(first))
        expect(typeof (await create(false))).toBe('object')
        expect(await create(false)).toBe('too-many')
      })

      it('are missing for callers who may not see their events', async () => {
        const webhook = await addWebhook({ includeSecurity: true })
        const command = commandFor(webhook, ['open'])
        expect(
          await stage.storage.webhooks.change({ ...command, patch: { url: 'x' }, actor: null, at: NOW }),
        ).toBeUndefined()
        expect(
          await stage.storage.webhooks.rotateSecret({ ...command, secret: 's', previousUntil: NOW, at: NOW }),
        ).toBeUndefined()
        expect(await stage.storage.webhooks.delete(command)).toBe('missing')
        expect(await find(webhook)).toEqual(webhook)
      })

      it('keep older secrets until they expire', async () => {
        const webhook = await addWebhook()
        const rotate = (secret: string, at: number) =>
          stage.storage.webhooks.rotateSecret({ ...commandFor(webhook), secret, previousUntil: at + DAY, at })
        await rotate('whsec_b', NOW)
        const third = await rotate('whsec_c', NOW + SECOND)
        expect(third?.secrets).toEqual([
          { secret: 'whsec_c', until: null },
          { secret: 'whsec_b', until: NOW + SECOND + DAY },
          { secret: 'whsec_a', until: NOW + DAY },
        ])
        expect((await rotate('whsec_d', NOW + DAY))?.secrets).toHaveLength(3)
        expect((await find(webhook))?.secrets[0]).toEqual({ secret: 'whsec_d', until: null })
      })

      it('are deleted with their pending deliveries, and their numbers are not reused', async () => {
        const webhook = await addWebhook()
        await report()
        await fanOut(webhook)
        const [claimed] = await claim()
        expect(await stage.storage.webhooks.delete(commandFor(webhook))).toBe('deleted')
        expect(await stage.storage.webhooks.delete(commandFor(webhook))).toBe('missing')
        expect(await find(webhook)).toBeUndefined()
        if (claimed) await record(claimed, FAILED)
        expect(await claim(NOW + DAY)).toEqual([])
        expect((await addWebhook()).number).toBe(2)
        await stage.storage.deliveries.expireSome(stage.project.id, 0)
      })

      it('are deleted with their project', async () => {
        const webhook = await addWebhook()
        await report()
        await fanOut(webhook)
        while (!(await stage.storage.projects.delete(stage.project.id)).isFinished);
        expect(await find(webhook)).toBeUndefined()
        expect(await stage.storage.deliveries.listBehind(10)).toEqual([])
        expect(await claim()).toEqual([])
      })
    })

    describe('fanning out', () => {
      it('starts at the end of the log', async () => {
        await report()
        const webhook = await addWebhook()
        expect(await stage.storage.deliveries.listBehind(10)).toEqual([])
        await report()
        expect(await stage.storage.deliveries.listBehind(10)).toEqual([
          { id: webhook.id, projectId: stage.project.id },
        ])
        await fanOut(webhook)
        expect(await statuses(webhook)).toEqual(['2 pending'])
        expect(await stage.storage.deliveries.listBehind(10)).toEqual([])
        await fanOut(webhook)
        expect(await statuses(webhook)).toEqual(['2 pending'])
      })

      it('selects events that the webhook subscribes to and may see', async () => {
        const deletions = await addWebhook({ eventTypes: ['issue.deleted'] })
        const open = await addWebhook()
        const full = await addWebhook({ includeSecurity: true })
        const hidden = await report('security')
        const seen = await report()
        for (const issueId of [hidden, seen]) {
          const command = { projectId: stage.project.id, issueId, lanes: ['open', 'security'] } as const
          await stage.storage.issues.delete({ ...command, actor: null, at: NOW })
        }
        await report('security')
        await report()
        for (const webhook of [deletions, open, full]) await fanOut(webhook)
        expect(await statuses(deletions)).toEqual(['4 pending'])
        expect(await statuses(open)).toEqual(['6 pending', '4 pending'])
        expect(await statuses(full)).toEqual(['6 pending', '5 pending', '4 pending', '3 pending'])
        expect(await stage.storage.deliveries.listBehind(10)).toEqual([])
      })

      it('works in steps, and limits the pending deliveries', async () => {
        const webhook = await addWebhook()
        await reportMany(1_100)
        await fanOut(webhook)
        expect(await stage.storage.deliveries.countPending(webhook)).toBe(200)
        for (let step = 0; step < 6; step++) await fanOut(webhook)
        expect(await stage.storage.deliveries.countPending(webhook)).toBe(1_000)
        expect(await stage.storage.deliveries.listBehind(10)).toEqual([])
        for (const claimed of await claim()) await record(claimed, TAKEN)
        expect(await stage.storage.deliveries.listBehind(10)).toHaveLength(1)
        await fanOut(webhook)
        expect(await stage.storage.deliveries.countPending(webhook)).toBe(1_000)
        expect((await list(webhook)).map(({ position }) => position)).toEqual(
          Array.from({ length: 1_008 }, (_, index) => 1_008 - index),
        )
      })

      it('waits while the webhook is paused, and reports events that were deleted in the meantime', async () => {
        const webhook = await addWebhook()
        await change(webhook, { status: 'paused' })
        await reportMany(3)
        await fanOut(webhook)
        expect(await list(webhook)).toEqual([])
        expect(await stage.storage.deliveries.listBehind(10)).toEqual([])
        while (await stage.storage.events.expireSome(stage.project.id, NOW + 1));
        await change(webhook, { status: 'active' }, NOW + SECOND)
        await fanOut(webhook)
        const [paused, resumed] = await stage.listPauses()
        expect(paused).toMatchObject({ issueId: null, reason: `${webhook.id}: Paused manually.` })
        expect(resumed?.reason).toBe(
          `${webhook.id}: Some pending events are no longer in the log. It continues after the missing ones.`,
        )
        expect(await statuses(webhook)).toEqual(['5 pending'])
      })

      it('reports deleted events too if the webhook is slower than the log', async () => {
        const webhook = await addWebhook()
        await reportMany(2)
        while (await stage.storage.events.expireSome(stage.project.id, NOW + 1));
        await fanOut(webhook)
        expect((await stage.listPauses()).map(({ type }) => type)).toEqual(['webhook.resumed'])
        expect(await statuses(webhook)).toEqual(['3 pending'])
      })
    })
  })
}
