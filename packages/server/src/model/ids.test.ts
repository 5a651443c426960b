import { describe, expect, it } from 'vitest'
import { encodeId, idToBytes, isId, mintId, projectNumberOf, timeOf } from './ids.ts'

const TIME = Date.UTC(2026, 10, 15)

describe('ids', () => {
  it.each([0, 1, 63, 64, 0xfffff, 0x12345678, 0x80000000, 0xffffffff])(
    'contain time and projectNumber %i',
    (projectNumber) => {
      for (let round = 0; round < 50; round++) {
        const id = mintId('iss', TIME + round, projectNumber)
        expect(id).toMatch(/^iss_[0-7][0-9a-hjkmnp-tv-z]{25}$/)
        expect(isId('iss', id)).toBe(true)
        expect(projectNumberOf(id)).toBe(projectNumber)
        expect(timeOf(id)).toBe(TIME + round)
        expect(encodeId('iss', idToBytes(id))).toBe(id)
      }
    },
  )

  it('are UUIDs of version 8', () => {
    const hex = Buffer.from(idToBytes(mintId('prj', TIME, 7))).toString('hex')
    expect(hex).toMatch(/^.{12}8.{3}[89ab].{15}$/)
  })

  it('sort by time and do not repeat', () => {
    const ids = Array.from({ length: 2_000 }, (_, index) => mintId('iss', TIME + index, index * 7_919))
    expect([...ids].sort()).toEqual(ids)
    expect(new Set(Array.from({ length: 20_000 }, () => mintId('iss', TIME, 1))).size).toBe(20_000)
  })

  const good = mintId('iss', TIME, 5)
  it.each([
    ['another prefix', good.replace('iss_', 'prj_')],
    ['too short', good.slice(0, -1)],
    ['too long', `${good}0`],
    ['upper case', good.toUpperCase()],
    ['a letter outside the alphabet', `${good.slice(0, -1)}u`],
    ['a second spelling', good.replace('iss_0', 'iss_8')],
    ['another UUID version', `iss_${'0'.repeat(26)}`],
    ['nothing', ''],
  ])('refuses %s', (_, text) => {
    expect(isId('iss', text)).toBe(false)
  })
})
