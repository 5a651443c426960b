import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Outcome, spawnBugle } from '../../test-support/run-bugle.ts'
import { startApp, type TestApp, type TestProject } from '../../test-support/start-app.ts'
import { temporaryFolder } from '../../test-support/temporary-folder.ts'
import { mintUnshardedId } from '../model/ids.ts'
import { COMMANDS } from './commands.ts'

const MISSING_WEBHOOK = mintUnshardedId('whk', 0)
const MISSING_TOKEN = mintUnshardedId('pat', 0)
const MISSING_KEY = mintUnshardedId('key', 0)

/** The arguments of each command, in an order that works on an empty database; `fails` if the command always fails. */
const LINES: readonly { readonly line: string; readonly fails?: true }[] = [
  { line: 'migrate' },
  { line: 'cluster distribute', fails: true },
  { line: 'demo --count 1' },
  { line: 'project create --name Weather --slug weather' },
  { line: 'project list' },
  { line: 'project show weather' },
  { line: 'project update weather --public --yes' },
  { line: 'key create --project weather --kind public' },
  { line: 'key list' },
  { line: `key revoke ${MISSING_KEY}`, fails: true },
  { line: 'user add --email ada@example.com --name Ada --role admin' },
  { line: 'user list' },
  { line: 'user link ada@example.com' },
  { line: 'user update ada@example.com --name Lovelace' },
  { line: 'user remove ada@example.com', fails: true },
  { line: 'token list' },
  { line: `token revoke ${MISSING_TOKEN}`, fails: true },
  { line: 'label create slow --project weather' },
  { line: 'label list --project weather' },
  { line: 'label update slow --project weather --name fast' },
  { line: 'label delete fast --project weather' },
  { line: 'sdk-config set weather --crash-enabled false' },
  { line: 'sdk-config limit weather newHome --value true --share 0.1' },
  { line: 'sdk-config show weather' },
  { line: 'webhook add --project weather --url https://hooks.example.com/a' },
  { line: 'webhook list --project weather' },
  { line: `webhook pause ${MISSING_WEBHOOK}`, fails: true },
  { line: `webhook resume ${MISSING_WEBHOOK}`, fails: true },
  { line: `webhook remove ${MISSING_WEBHOOK}`, fails: true },
  { line: `webhook deliveries ${MISSING_WEBHOOK}`, fails: true },
  { line: `webhook redeliver ${MISSING_WEBHOOK} 1`, fails: true },
  { line: 'audit list' },
  { line: 'audit export FOLDER/audit.jsonl' },
  { line: 'versions list' },
  { line: 'versions stats --days 7' },
  { line: 'branches list' },
  { line: 'issues list' },
  { line: 'issues show 1' },
  { line: 'issues move 1 resolved' },
  { line: 'issues bulk --status resolved --set-priority low' },
  { line: 'issues update 1 --priority high' },
  { line: 'issues note 1 Seen' },
  { line: 'issues comment 1 Seen' },
  { line: 'issues comments 1' },
  { line: 'issues publish 1 Blank --text Wait' },
  { line: 'issues unpublish 1' },
  { line: 'issues reply 1 Thanks' },
  { line: 'issues conversation 1' },
  { line: 'issues block-reporter 1 1', fails: true },
  { line: 'issues unblock-reporter 1 1', fails: true },
  { line: 'issues merge 1 999', fails: true },
  { line: 'issues unmerge 1' },
  { line: 'issues duplicates 1' },
  { line: 'issues reports 1' },
  { line: 'issues attachments 1' },
  { line: 'issues download 999', fails: true },
  { line: 'issues redact-report 1 1 --yes' },
  { line: 'issues delete-report 1 2 --yes', fails: true },
  { line: 'issues spam 1' },
  { line: 'issues not-spam 1' },
  { line: 'issues delete 1 --yes' },
  { line: 'export FOLDER/export.jsonl' },
  { line: 'backup FOLDER/backup.db' },
  { line: 'restore FOLDER/backup.db --force' },
  { line: 'doctor --quick' },
  { line: 'project delete weather --yes' },
  { line: 'import FOLDER/export.jsonl', fails: true },
]
/** These run until they are stopped, so `users.test.ts` and `issues.test.ts` test them. */
const ENDLESS = ['serve', 'issues tail']

describe('the binary', () => {
  let app: TestApp
  let project: TestProject
  const folder = temporaryFolder()
  beforeAll(async () => {
    app = await startApp()
    project = await app.addProject()
    await app.send('POST', '/v1/issues', { key: project.publicKey, body: { title: 'Blank' } })
  })
  afterAll(async () => {
    await app[Symbol.asyncDispose]()
    folder[Symbol.dispose]()
  })

  const run = (line: string): Promise<Outcome> =>
    spawnBugle([...line.replace('FOLDER', folder.path).split(' '), '--json'], {
      BUGLE_DATABASE_URL: `sqlite:${join(folder.path, 'bugle.db')}`,
      BUGLE_URL: app.url,
      BUGLE_KEY: project.secretKey,
    })

  it.each(LINES)('runs bugle $line', async ({ line, fails }) => {
    const { code, stdout, stderr } = await run(line)
    if (fails) {
      expect({ code, stdout }).toEqual({ code: 1, stdout: '' })
      expect(stderr).toMatch(/^bugle: .+\n$/)
    } else {
      expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
      expect(JSON.parse(stdout)).toEqual(expect.anything())
    }
  })

  it('has no command that is not tested here', () => {
    const started = LINES.map(({ line }) => line)
    const isStarted = ({ name }: { readonly name: string }) => started.some((line) => line.startsWith(name))
    expect(
      COMMANDS.filter((command) => !isStarted(command))
        .map(({ name }) => name)
        .sort(),
    ).toEqual(ENDLESS.toSorted())
  })
})
