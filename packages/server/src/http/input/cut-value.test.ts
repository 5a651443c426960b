import { IssueSubmission, MAX_METADATA_MEMBERS, WebhookCreation } from '@bugle/contract'
import { describe, expect, it } from 'vitest'
import { cutValue } from './cut-value.ts'

const many = Object.fromEntries(Array.from({ length: 1_000 }, (_, n) => [`u${n}`, n]))
const FAULTS = 20

describe('of an invalid value', () => {
  it('all known fields are kept, and as many unknown ones as are listed', () => {
    const cut = cutValue({ ...many, title: 'x', priority: 'oops' }, IssueSubmission)
    expect(cut).toMatchObject({ title: 'x', priority: 'oops', u0: 0 })
    expect(Object.keys(cut as object)).toHaveLength(2 + FAULTS)
  })

  it('the same applies to nested values', () => {
    const cut = cutValue({ metadata: many, sdk: { name: 'x', ...many } }, IssueSubmission) as {
      metadata: object
      sdk: object
    }
    expect(Object.keys(cut.metadata)).toHaveLength(MAX_METADATA_MEMBERS + FAULTS)
    expect(Object.keys(cut.sdk)).toHaveLength(1 + FAULTS)
  })

  it('the beginning of a long list is kept', () => {
    const eventTypes = Array.from({ length: 1_000 }, () => 'issue.created')
    expect(cutValue({ eventTypes }, WebhookCreation)).toEqual({ eventTypes: eventTypes.slice(0, FAULTS) })
  })

  it('a small one stays as it is', () => {
    for (const value of [null, 'x', 5, [], { title: 1, titel: 2 }, JSON.parse('{"__proto__":1}')])
      expect(cutValue(value, IssueSubmission)).toEqual(value)
  })
})
