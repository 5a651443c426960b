import { ERROR_CODES } from '@bugle/contract'
import { errorCodes } from 'fastify'
import { describe, expect, it } from 'vitest'
import { codeOf } from './problem.ts'

describe('an error of the framework', () => {
  const errors = Object.values(errorCodes).map((FrameworkError) => new FrameworkError('x', 'y', 'z'))
  const refusals = errors.filter(({ statusCode = 500 }) => statusCode < 500)

  it.each(refusals.map((error) => [error.code, error] as const))(
    '%s is a problem of the client',
    (_, error) => {
      const { status } = ERROR_CODES[codeOf(error)]
      // There is no problem code for a URL that is too long.
      expect(status).toBe(error.statusCode === 414 ? 400 : error.statusCode)
    },
  )

  it('that is not about the request is an internal error', () => {
    const fault = errors.find(({ code }) => code === 'FST_ERR_SEND_INSIDE_ONERR')
    expect(codeOf(fault)).toBe('internal-error')
  })

  it('is recognised by its code, not only by its status', () => {
    expect(codeOf(Object.assign(new Error('x'), { statusCode: 404 }))).toBe('internal-error')
  })
})
