import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'
import { GENERATED, renderErrors, renderSettings } from './generate-docs.ts'

const ROOT = new URL('..', import.meta.url)

describe('generated documents', () => {
  it.each(GENERATED)('$path is up to date; otherwise run "npm run docs"', ({ path, render }) => {
    const current = readFileSync(fileURLToPath(new URL(path, ROOT)), 'utf8')
    expect(current).toBe(render())
  })

  it('shows a setting in one row, its default as it would be written', () => {
    const settings = [
      { variable: 'BUGLE_A', default: 'x', meaning: '`a` | `b`' },
      { variable: 'BUGLE_B', default: null, meaning: 'Something.' },
    ]
    expect(renderSettings(settings).split('\n').slice(2)).toEqual([
      '| `BUGLE_A` | `x` | `a` \\| `b` |',
      '| `BUGLE_B` | not set | Something. |',
      '',
    ])
  })

  it('lists each error with its status and what to do', () => {
    const page = renderErrors({ gone: { status: 410, title: 'It is gone', help: 'Look away.' } }, {})
    expect(page).toContain('| `gone` | 410 | It is gone | Look away. |\n')
  })
})
