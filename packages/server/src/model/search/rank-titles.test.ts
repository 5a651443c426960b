import { describe, expect, it } from 'vitest'
import { cpuMsOf } from '../../../test-support/cpu-time.ts'
import { rankTitles } from './rank-titles.ts'

const TITLES = [
  'The settings screen stays blank',
  'Crashes when opening the camera',
  'Export to CSV is empty',
  'Sync does not finish on slow connections',
  'The map is blank',
  'Größe der Schrift lässt sich nicht ändern',
  '設定画面が空白のままになる',
]

function search(text: string, titles: readonly string[] = TITLES): readonly string[] {
  const ranking = rankTitles(text)
  for (const [number, title] of titles.entries()) ranking.add(number, title)
  return ranking.best(3).map((number) => titles[number] ?? '')
}

describe('the ranking of titles', () => {
  it.each([
    ['Settings screen blank', 'The settings screen stays blank'],
    ['blank SETTINGS', 'The settings screen stays blank'],
    ['Hello! Since yesterday my settings are blank, please help me soon', 'The settings screen stays blank'],
    ['app crashed when I opened the camera', 'Crashes when opening the camera'],
    ['crash', 'Crashes when opening the camera'],
    ['the sett', 'The settings screen stays blank'],
    ['csv export', 'Export to CSV is empty'],
    ['slow sync', 'Sync does not finish on slow connections'],
    ['grosse schrift', 'Größe der Schrift lässt sich nicht ändern'],
    ['設定画面が空白', '設定画面が空白のままになる'],
  ])('finds the best title for %j', (text, title) => {
    expect(search(text)[0]).toBe(title)
  })

  it.each([
    ['The app is ugly'],
    ['the'],
    ['s'],
    ['se '],
    ['Login fails'],
    ['!?'],
    [' '],
    ['画像が保存できない'],
    ['Please add dark mode to the app, it is too bright when I use it in the evening'],
  ])('finds nothing for %j', (text) => {
    expect(search(text)).toEqual([])
  })

  it('finds the newest titles by a word that all of them have', () => {
    const titles = Array.from({ length: 300 }, (_, n) => `Cloud number${n}`)
    expect(search('cloud', titles)).toEqual(titles.slice(-3).reverse())
  })

  it('knows that most titles have a word', () => {
    const titles = [...Array.from({ length: 50 }, (_, n) => `Screen number${n} flickers`), 'Screen is blank']
    expect(search('screen blank', titles)[0]).toBe('Screen is blank')
  })

  it('returns the best ones, of equal ones the newest, and only as many as asked for', () => {
    const titles = ['Blank page', 'Blank screen', 'Blank page', 'Blank screen', 'Screen blank', 'Other']
    const ranking = rankTitles('blank screen')
    for (const [number, title] of titles.entries()) ranking.add(number, title)
    expect(ranking.best(2)).toEqual([4, 3])
    expect(ranking.best(9).slice(0, 3)).toEqual([4, 3, 1])
    expect(ranking.best(9)).not.toContain(5)
  })

  it.each([
    ['one long word', 'a'.repeat(256)],
    ['many words', 'ab '.repeat(85)],
    ['different words', Array.from({ length: 85 }, (_, n) => n.toString(36)).join(' ')],
    ['Chinese', '設定画面空白'.repeat(42)],
    ['accents', 'e\u0301'.repeat(128)],
    ['combining marks', `a${'\u0301\u0316'.repeat(127)}`],
    ['emoji', '👩‍💻'.repeat(51)],
  ])('takes a bounded time for %s, in 2,000 of the longest titles', (_, text) => {
    const titles = Array.from({ length: 2_000 }, (_, n) => `${text.slice(0, 190)} ${n}`)
    const used = cpuMsOf(() => search(text, titles))
    expect(used).toBeLessThan(3_000)
  })
})
