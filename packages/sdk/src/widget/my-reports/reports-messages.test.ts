import { ISSUE_STATUSES } from '@bugle/contract/vocabulary'
import { expect, test } from 'vitest'
import { languageWithTexts } from '../../reports-page/page-messages.ts'
import de from '../languages/de.ts'
import es from '../languages/es.ts'
import fr from '../languages/fr.ts'
import ja from '../languages/ja.ts'
import pt from '../languages/pt.ts'
import zh from '../languages/zh.ts'
import { ENGLISH } from './reports-messages.ts'

test('every status has a name', () => {
  expect(Object.keys(ENGLISH.statuses).sort()).toEqual([...ISSUE_STATUSES].sort())
})

test.each(Object.entries({ de, es, fr, ja, pt, zh }))(
  '%s has all texts, also those of the page',
  (code, { reports }) => {
    expect(languageWithTexts(code)).toBe(code)
    expect(Object.keys({ ...reports }).sort()).toEqual([...Object.keys(ENGLISH), 'queued'].sort())
    expect(Object.keys({ ...reports?.statuses })).toEqual(Object.keys(ENGLISH.statuses))
  },
)
