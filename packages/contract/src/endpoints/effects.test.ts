import { describe, expect, it } from 'vitest'
import { endpoints } from '../index.ts'
import { settingsEndpoints } from '../settings/index.ts'
import { isCausedBy } from './effects.ts'
import type { Endpoint } from './endpoint.ts'

const WITH_EFFECT = Object.values<Endpoint>({ ...endpoints, ...settingsEndpoints }).filter(
  ({ effect }) => effect !== undefined,
)

describe('an effect', () => {
  it.each(WITH_EFFECT.map((endpoint) => [endpoint.name, endpoint] as const))(
    'of %s is of a change, and depends on fields that its body has',
    (_, { method, body, effect }) => {
      expect(method).not.toBe('GET')
      const { properties = {} } = (body ?? {}) as { properties?: object }
      expect(Object.keys(properties)).toEqual(expect.arrayContaining(Object.keys(effect?.when ?? {})))
    },
  )

  it('is caused by every call, or by one of its fields with one of its values', () => {
    expect(isCausedBy({ kind: 'destroys-many' }, undefined)).toBe(true)
    const effect = { kind: 'widens-readers', when: { url: 'given', includeSecurity: [true] } } as const
    for (const body of [{ url: '' }, { includeSecurity: true, name: 'x' }])
      expect(isCausedBy(effect, body)).toBe(true)
    for (const body of [undefined, {}, { includeSecurity: false }, { includeSecurity: null, toString: true }])
      expect(isCausedBy(effect, body)).toBe(false)
  })
})
