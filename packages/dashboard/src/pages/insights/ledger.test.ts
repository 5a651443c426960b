import { expect, it } from 'vitest'
import { ledgerOf, skippedText } from './ledger.ts'

const intake = {
  received: 23,
  stored: 9,
  joined: 3,
  replayed: 1,
  refused: { 'validation-failed': 7, teapot: 2 },
  limited: 1,
  skipped: {},
}

it('adds up to the received submissions', () => {
  const sum = ledgerOf(intake).reduce((total, { count }) => total + count, 0)
  expect(sum).toBe(intake.received)
})

it('explains each code, and copes with unknown ones', () => {
  const refused = ledgerOf(intake).filter(({ tone }) => tone === 'refused')
  expect(refused).toEqual([
    {
      key: 'refused:validation-failed',
      name: 'Refused: validation-failed',
      meaning: 'The body is not valid.',
      help: '/problems/validation-failed',
      tone: 'refused',
      count: 7,
    },
    {
      key: 'refused:teapot',
      name: 'Refused: teapot',
      meaning: 'The server did not accept it.',
      tone: 'refused',
      count: 2,
    },
  ])
})

it('has a line for each outcome even without submissions', () => {
  const nothing = { received: 0, stored: 0, joined: 0, replayed: 0, refused: {}, limited: 0, skipped: {} }
  expect(ledgerOf(nothing).map(({ key }) => key)).toEqual(['stored', 'joined', 'replayed', 'limited'])
})

it('lists parts that were not kept, most first', () => {
  expect(skippedText({ attachment: 2, session: 2, transaction: 1_200 })).toBe(
    '1,200 transaction, 2 attachment, 2 session',
  )
  for (const nothing of [{}, null]) expect(skippedText(nothing)).toBe('')
})
