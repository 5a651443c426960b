import { describe, expect, it } from 'vitest'
import { cpuMsOf } from '../../../test-support/cpu-time.ts'
import { isHanOrKana, tokenize, tokensOfIssue } from './tokens.ts'

// Beyond this, Unicode has only further Han, selectors and private use.
const FIRST_WITHOUT_SCRIPTS = 0x30000

describe('the tokens of a text', () => {
  it.each<[rule: string, text: string, tokens: string]>([
    ['words, in lower case', 'The App CRASHES', 'the app crashes'],
    ['punctuation separates', `can't re-open foo_bar, "a/b"; <c>\\d|e*`, 'can t re open foo bar a b c d e'],
    ['numbers and versions', 'iPhone17, v2.4.1 (512) 50%', 'iphone17 v2 4 1 512 50'],
    [
      'operators of FTS5 are words',
      'a AND b OR NOT NEAR(c, 2) ^d -e +f col:g',
      'a and b or not near c 2 d e f col g',
    ],
    ['null bytes and control characters separate', 'a\0b\u001bc\u2028d', 'a b c d'],
    ['halves of surrogate pairs separate', 'a\uD83Db\uDC4Dé\uD800', 'a b e'],
    ['nothing gives nothing', ' \t\n"*\'-–…™©→\0', ''],

    ['accents, composed', 'Crème Brûlée Ångström', 'creme brulee angstrom'],
    ['accents, decomposed', 'Cre\u0300me Bru\u0302le\u0301e', 'creme brulee'],
    [
      'letters without a decomposition',
      'Straße STRASSE ẞ Søren Łódź Đà æther Œuvre Þór',
      'strasse strasse ss soren lodz da aether oeuvre thor',
    ],
    [
      'the dotted and dotless i of Turkish',
      'İSTANBUL istanbul ISPARTA ısparta',
      'istanbul istanbul isparta isparta',
    ],
    ['the final sigma', 'ΟΔΟΣ οδος ΟΔΌΣ ὁδός', 'οδοσ οδοσ οδοσ οδοσ'],
    ['Cyrillic', 'Ёлка ЙОД', 'елка иод'],
    [
      'ligatures, full width, superscripts, mathematical letters',
      'ﬁle ＡＢＣ１ x² 𝐁𝐨𝐥𝐝',
      'file abc1 x2 bold',
    ],
    ['what folds to several words', 'a ½ b', 'a 1 2 b'],
    ['typographic quotes', '“it’s” «broken»', 'it s broken'],
    ['soft hyphens and joiners vanish', 'Donau\u00ADdampf\u2060schiff', 'donaudampfschiff'],
    ['signs that are no emoji separate', 'Bugle™ app ©2026 a→b', 'bugle app 2026 a b'],

    ['Arabic, with and without joiner', 'لا يعمل می\u200Cخواهم', 'لا يعمل میخواهم'],
    ['Hebrew', 'האפליקציה קורסת', 'האפליקציה קורסת'],
    ['Devanagari keeps its marks', 'सेटिंग्स खोलें', 'सेटिंग्स खोलें'],
    ['Thai, a run is one word', 'แอปเปิดไม่ได้ 2.4', 'แอปเปิดไม่ได้ 2 4'],
    ['Hangul, composed or not', `설정에서 ${'설정'.normalize('NFD')}`, '설정에서 설정'],

    ['Han as pairs and the last character', '設定画', '設定 定画 画'],
    ['a single character', '画', '画'],
    ['kana and Han are one run', 'が壊れた', 'が壊 壊れ れた た'],
    [
      'half-width, decomposed and composed kana',
      `ﾊﾞｸﾞ ${'バグ'.normalize('NFD')} バグ`,
      'バグ グ バグ グ バグ グ',
    ],
    ['the long vowel mark belongs to kana', 'データ', 'デー ータ タ'],
    ['Han outside the basic plane', '𠮷野家', '𠮷野 野家 家'],
    ['Han with a variation selector or a tone mark', '葛\u{E0100}城 画\u302A面', '葛城 城 画面 面'],
    ['CJK punctuation separates', '設定。「画面」・壊', '設定 定 画面 面 壊'],
    ['mixed scripts', 'iPhone17が壊れたiOS版', 'iphone17 が壊 壊れ れた た ios 版'],

    ['emoji, each for itself', 'crash💥💥 👍!', 'crash 💥 💥 👍'],
    ['variation selectors and skin tones vanish', '❤️ ❤ 👍🏽 ☝🏿', '❤ ❤ 👍 ☝'],
    ['joined emoji are split', '👨‍👩‍👧 👩🏽‍💻 🏳️‍🌈 🤷‍♂️', '👨 👩 👧 👩 💻 🏳 🌈 🤷 ♂'],
    ['flags, in pairs', '🇩🇪🇫🇷 🇩🇪🇫', '🇩🇪 🇫🇷 🇩🇪 🇫'],
    ['the flags of regions are black flags', '🏴󠁧󠁢󠁥󠁮󠁧󠁿', '🏴'],
    ['keycaps are their digits', '1️⃣2️⃣', '12'],
  ])('%s', (_, text, tokens) => {
    expect(tokenize(text).join(' ')).toBe(tokens)
  })

  it('are cut at 64 characters, never inside one', () => {
    expect(tokenize('a'.repeat(100))).toEqual(['a'.repeat(64)])
    expect(tokenize(`${'é'.repeat(100)} b`)).toEqual(['e'.repeat(64), 'b'])
    expect(tokenize('가'.repeat(100).normalize('NFD'))).toEqual(['가'.repeat(64)])
    expect(tokenize(`a${'𐐀'.repeat(400)}`)).toEqual([`a${'𐐨'.repeat(63)}`])
    expect(tokenize('画'.repeat(1000))).toHaveLength(1000)
  })

  it('have only a–z and 0–9 of ASCII, and tokenize to themselves, for every character', () => {
    const isFine = (token: string) =>
      !/[\0-\x2F\x3A-\x60\x7B-\x7F\s¦]/.test(token) &&
      (isHanOrKana(token) || tokenize(token).join('|') === token)
    const strange: string[] = []
    for (let code = 0; code < FIRST_WITHOUT_SCRIPTS; code++) {
      const tokens = tokenize(String.fromCodePoint(code))
      if (!tokens.every(isFine)) strange.push(code.toString(16))
    }
    expect(strange).toEqual([])
  })

  it.each([
    ['one word', 'a'.repeat(32_768)],
    ['one accented word', 'é'.repeat(32_768)],
    ['Latin marks to sort', `x${'\u0301'.repeat(16_000)}${'\u0323'.repeat(16_000)}`],
    ['Hebrew marks to sort', `x${'\u05C1\u05B0'.repeat(16_000)}`],
    ['Arabic marks to sort', `x${'\u0654'.repeat(16_000)}${'\u0655'.repeat(16_000)}`],
    ['tone marks of Han to sort', `画${'\u302B'.repeat(16_000)}${'\u302A'.repeat(16_000)}`],
    ['marks of kana', 'か\u309A\u3099'.repeat(10_900)],
    ['mathematical marks to sort', `x${'\u20D0'.repeat(16_000)}${'\u20E8'.repeat(16_000)}`],
    ['letters that grow', 'ﷺ '.repeat(16_384)],
    ['Han', '画'.repeat(32_768)],
    ['Han outside the basic plane', '𠮷'.repeat(32_768)],
    ['joined emoji', '👩\u200D'.repeat(16_384)],
    ['flags', '🇩'.repeat(32_768)],
    ['halves of pairs', '\uD83D '.repeat(16_384)],
    ['nothing', '\u3000'.repeat(32_768)],
  ])('take linear time: %s', (_, hostile) => {
    expect(cpuMsOf(() => tokenize(hostile))).toBeLessThan(400)
  })
})

describe('the tokens of an issue', () => {
  it.each<[title: string, description: string | null, text: string]>([
    ['Settings crash', null, 'settings crash'],
    ['Settings crash', 'On opening.', 'settings crash ¦ on opening'],
    ['Settings ¦ crash', '', 'settings crash ¦'],
    ['設定', '画面', '設定 定 ¦ 画面 面'],
    ['?', 'b', '¦ b'],
  ])('%s, %s', (title, description, text) => {
    expect(tokensOfIssue(title, description).join(' ')).toBe(text)
  })
})
