import { MAX_MENTIONS } from '@bugle/contract'
import { describe, expect, it } from 'vitest'
import { findMentions } from './mentions.ts'

const person = (name: string, canSeeSecurity = false) =>
  ({ id: `usr_${name}`, name, canSeeSecurity }) as const
const PEOPLE = [
  ...['Ada', 'Ada Lovelace', 'Grace', 'Zoë', 'Jean-Luc', 'O’Neil', '漢字'].map((name) => person(name)),
  { ...person('Grace'), id: 'usr_grace2' as const },
]

const idsIn = (text: string) => findMentions(text, PEOPLE).map(({ id }) => id)

describe('mentions', () => {
  it.each([
    ['@Ada', ['usr_Ada']],
    ['ask @ada, please', ['usr_Ada']],
    ['(@ADA)', ['usr_Ada']],
    ['@Ada Lovelace knows', ['usr_Ada Lovelace']],
    ['@Ada lovelace’s', ['usr_Ada Lovelace']],
    ['@Ada Lovelaces', ['usr_Ada']],
    ['@Adam', []],
    ['@Ada_', []],
    ['@Ada-Maria', []],
    ['@Ada- well', ['usr_Ada']],
    ['ada@Ada', []],
    ['ada@example.com', []],
    ['@@Ada', []],
    ['@ Ada', []],
    ['@Jean-Luc!', ['usr_Jean-Luc']],
    ['@zoË', ['usr_Zoë']],
    ['@漢字', ['usr_漢字']],
    ['@O’Neil', ['usr_O’Neil']],
    ['@Nobody', []],
    ['@', []],
    ['', []],
  ])('%s', (text, ids) => {
    expect(idsIn(text)).toEqual(ids)
  })

  it('name each person once, with the name as it is written, and everyone of the same name', () => {
    expect(findMentions('@GRACE @Ada @grace', PEOPLE)).toEqual([
      { id: 'usr_Grace', name: 'GRACE', canSeeSecurity: false },
      { id: 'usr_grace2', name: 'GRACE', canSeeSecurity: false },
      { id: 'usr_Ada', name: 'Ada', canSeeSecurity: false },
    ])
  })

  it('are limited in number, however many there are in the text', () => {
    const people = Array.from({ length: 1_000 }, (_, n) => person(`p${n}`))
    const text = people.map(({ name }) => `@${name}`).join(' ')
    expect(findMentions(text, people)).toHaveLength(MAX_MENTIONS)
    expect(findMentions('@a '.repeat(2_730), people)).toEqual([])
  })
})
