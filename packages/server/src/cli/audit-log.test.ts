import { readFileSync } from 'node:fs'
import { userInfo } from 'node:os'
import { describe, expect } from 'vitest'
import type { Bugle } from '../../test-support/bugle-command.ts'
import { test } from '../../test-support/bugle-command.ts'

interface Shown {
  readonly action: string
  readonly actor: { readonly kind: string; readonly id: string }
  readonly projectSlug: string | null
  readonly changes: readonly unknown[]
}

const list = (bugle: Bugle, filters = ''): Promise<readonly Shown[]> => bugle.json(`audit list${filters}`)

describe.concurrent('bugle audit', () => {
  test('has an entry for every change by the command, by the account that ran it', async ({ bugle }) => {
    await bugle.json('project create --name Weather --slug weather')
    await bugle.json('project update weather --public --yes')
    const key = await bugle.json('key create --project weather --kind secret --scope issues:read')
    await bugle.json(`key revoke ${key.id}`)
    await bugle.json('label create ui --project weather')
    await bugle.json('label update ui --project weather --colour #112233')
    await bugle.json('label delete ui --project weather')
    await bugle.json('sdk-config set weather --enabled false')
    const { link } = await bugle.json('user add --email ada@example.com --name Ada --role viewer')
    await bugle.json('user update ada@example.com --role triager')
    await bugle.json('user remove ada@example.com')
    const webhook = await bugle.json('webhook add --project weather --url https://hooks.example/path')
    await bugle.json(`webhook pause ${webhook.id}`)
    await bugle.json(`webhook remove ${webhook.id}`)
    await bugle.json(`export ${bugle.database}.export`)
    await bugle.json('project delete weather --yes')
    const entries = await list(bugle)
    expect(entries.map(({ action }) => action).toReversed()).toEqual([
      'project.created',
      'project.updated',
      'key.created',
      'key.revoked',
      'label.created',
      'label.updated',
      'label.deleted',
      'sdk_config.updated',
      'user.created',
      'user.link_created',
      'user.updated',
      'user.removed',
      'webhook.created',
      'webhook.updated',
      'webhook.deleted',
      'data.exported',
      'project.deleted',
    ])
    for (const { actor } of entries) {
      expect(actor).toEqual({ kind: 'os', id: `os:${userInfo().username}`, name: null })
    }
    const { stdout } = await bugle.run('audit list')
    for (const secret of [key.token.slice(8, -4), link.split('#')[1], webhook.secret, '/path'])
      expect(stdout).not.toContain(secret)
  })

  test('list filters by actor, action, project and time, and explains what it does not know', async ({
    bugle,
  }) => {
    for (const slug of ['weather', 'maps']) await bugle.json(`project create --name ${slug} --slug ${slug}`)
    await bugle.json('project update maps --name Atlas')
    const actionsOf = async (filters: string) => (await list(bugle, filters)).map(({ action }) => action)
    expect(await actionsOf(' --project maps')).toEqual(['project.updated', 'project.created'])
    expect(await actionsOf(' --action project.updated')).toEqual(['project.updated'])
    expect(await actionsOf(` --actor os:${userInfo().username} --limit 1`)).toEqual(['project.updated'])
    expect(await actionsOf(' --actor os:nobody-else')).toEqual([])
    expect(await actionsOf(' --until 2001-01-01')).toEqual([])
    expect(await actionsOf(' --since 2001-01-01')).toHaveLength(3)
    const refused = [
      ['--action nothing', 2, 'there is no action "nothing"'],
      ['--since yesterday', 2, '--since must be a time'],
      ['--limit 0', 2, '--limit must be a number'],
      ['--project none', 1, 'no project has the slug "none"'],
      ['--actor nobody@example.com', 1, 'no user has the email address'],
    ] as const
    for (const [filter, code, says] of refused) {
      const outcome = await bugle.run(`audit list ${filter}`)
      expect([filter, outcome.code]).toEqual([filter, code])
      expect(outcome.stderr).toContain(says)
    }
  })

  test('export writes every entry, one per line', async ({ bugle }) => {
    await bugle.json('project create --name Weather --slug weather')
    await bugle.json('project update weather --name Rain')
    const file = `${bugle.database}.audit`
    expect(await bugle.json(`audit export ${file}`)).toEqual({ file, entries: 2 })
    const lines = readFileSync(file, 'utf8')
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line))
    expect(lines).toEqual(await list(bugle))
    const printed = await bugle.run('audit export - --action project.created')
    expect(JSON.parse(printed.stdout)).toEqual(lines[1])
    expect((await bugle.run(`audit export ${file}`)).stderr).toContain('already exists')
  })
})
