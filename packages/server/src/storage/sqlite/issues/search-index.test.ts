import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { describe, expect, it } from 'vitest'
import { addProject, plainProject, plainReport } from '../../../../test-support/plain-reports.ts'
import { temporaryFolder } from '../../../../test-support/temporary-folder.ts'
import { everyIssue } from '../../../model/issue-lists.ts'
import type { ProjectRecord } from '../../../model/projects.ts'
import type { NewReport } from '../../../model/reports/reports.ts'
import { parseSearch } from '../../../model/search/search-query.ts'
import { roughSearchText, tokensOfIssue } from '../../../model/search/tokens.ts'
import { openSqliteInline } from '../sqlite-storage.ts'
import { createWriter } from '../writer/writer.ts'
import { INDEX_STEP_ROWS } from './search-index.ts'

const BURST = 3_000
const BATCH = 256

describe('the full-text index', () => {
  it.each([
    [
      'every character of ASCII',
      Array.from({ length: 128 }, (_, code) => `a${String.fromCharCode(code)}B9`).join(' '),
    ],
    ['words, numbers and signs', `The APP can't re-open "foo_bar", v2.4.1 (512) 50% a/b\\c\td\r\ne`],
    ['operators of FTS5', 'a AND b OR NOT NEAR(c, 2) ^d -e +f col:g "h* {i j}'],
    ['a word of 64 characters', `x ${'a'.repeat(64)} y`],
    ['a word that is cut', `x ${'A'.repeat(65)} y`],
    ['other scripts', 'Straße ÅNGSTRÖM 設定画面 が壊れた 👍🏽 설정에서'],
    ['nothing', ' \t…™ '],
  ])('splits a rough text into the same words as our tokenizer: %s', (_, text) => {
    for (const [title, description] of [
      [text, null],
      ['Plain', text],
      [text, 'plain'],
    ] as const) {
      expect(wordsOf(roughSearchText(title, description))).toEqual(tokensOfIssue(title, description))
    }
  })

  it('is never far behind, however quickly issues arrive', async () => {
    using folder = temporaryFolder()
    const path = join(folder.path, 'bugle.db')
    const storage = openSqliteInline(path)
    const project = await addProject(storage)
    const reader = new DatabaseSync(path, { readOnly: true })
    for (let stored = 0; stored < BURST; stored += BATCH) {
      await Promise.all(Array.from({ length: BATCH }, () => storage.issues.submit(plainReport(project))))
      const { behind } = reader
        .prepare('SELECT last_issue_number - indexed_number AS behind FROM projects')
        .get() as { behind: number }
      expect(behind).toBeLessThan(INDEX_STEP_ROWS)
    }
    reader.close()
    await storage.close()
  })

  it('indexes the texts of reports, which are found before and after', async () => {
    using folder = temporaryFolder()
    const path = join(folder.path, 'bugle.db')
    const storage = openSqliteInline(path)
    const project = await addProject(storage)
    const submit = (title: string) => {
      const report = plainReport(project)
      return storage.issues.submit({ ...report, content: { ...report.content, title, fingerprint: 'same' } })
    }
    const find = async (q: string, searchesReports = true) => {
      const selection = { ...everyIssue(project.id, ['open']), search: parseSearch(q), searchesReports }
      const listing = { selection, sort: 'newest', start: { offset: 0 }, limit: 10 } as const
      return (await storage.issues.list(listing)).issues.map(({ issueNumber }) => issueNumber)
    }
    const writer = createWriter(path)
    const countOutdated = () =>
      writer.db.prepare('SELECT count(*) AS count FROM issues WHERE report_words IS NOT indexed_words').get()
    const expectFound = async () => {
      for (const q of ['flamingo', '"pink flamingo"', 'flam*', 'blank flamingo'])
        expect([q, await find(q), await find(q, false)]).toEqual([q, [1], []])
      for (const q of ['"blank pink"', 'flaming', '"flamingo pink"']) expect(await find(q)).toEqual([])
    }
    await submit('Blank')
    await storage.issues.submit(plainReport(project))
    while (writer.indexSome());
    await submit('Pink flamingo')
    expect(countOutdated()).toEqual({ count: 1 })
    await expectFound()
    while (writer.indexSome());
    expect(countOutdated()).toEqual({ count: 0 })
    await expectFound()
    // Texts from before the issue is indexed are indexed with it.
    writer.db.exec(
      "INSERT INTO search (search) VALUES ('delete-all'); UPDATE projects SET indexed_number = 0",
    )
    await expectFound()
    while (writer.indexSome());
    await expectFound()
    writer.close()
    await storage.close()
  })

  it('indexes few long texts in one step, so that submissions do not wait long', () => {
    const writer = createWriter(':memory:')
    const project = plainProject('demo')
    writer.commit([['createProject', project, null]])
    const numbersOf = () =>
      writer.db
        .prepare('SELECT indexed_number AS indexed, last_issue_number AS last FROM projects')
        .get() as unknown as { readonly indexed: number; readonly last: number }
    const texts = { short: 'word '.repeat(60), long: 'word '.repeat(6_500), chinese: '错'.repeat(32_768) }
    const lengths = Object.entries(texts).map(([name, text]) => {
      const before = numbersOf()
      writer.commit(Array.from({ length: 300 }, () => ['submitReport', reportOf(project, text)]))
      writer.indexSome()
      const step = numbersOf().indexed - before.indexed
      while (writer.indexSome());
      expect(numbersOf().indexed).toBe(before.last + 300)
      return [name, step]
    })
    writer.close()
    expect(Object.fromEntries(lengths)).toEqual({ short: 300, long: 8, chinese: 1 })
  })
})

function reportOf(project: ProjectRecord, description: string): NewReport {
  const report = plainReport(project)
  return { ...report, content: { ...report.content, description } }
}

/** The tokens that FTS5 creates from a text, in order. */
function wordsOf(text: string): readonly string[] {
  const db = new DatabaseSync(':memory:')
  db.exec(`CREATE VIRTUAL TABLE search USING fts5 (tokens, tokenize = 'ascii');
    CREATE VIRTUAL TABLE words USING fts5vocab (search, instance)`)
  db.prepare('INSERT INTO search VALUES (?)').run(text)
  const words = db.prepare('SELECT term FROM words ORDER BY offset').all() as { term: string }[]
  db.close()
  return words.map(({ term }) => term)
}
