import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { describeApi } from './openapi.ts'

describe('third-party linters', () => {
  let folder: string

  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), 'bugle-openapi-'))
    writeFileSync(join(folder, 'openapi.json'), JSON.stringify(describeApi({ version: '1.2.3' })))
    writeFileSync(join(folder, 'redocly.yaml'), 'extends: [recommended]\n')
    writeFileSync(join(folder, 'spectral.yaml'), 'extends: ["spectral:oas"]\n')
  })

  afterAll(() => rmSync(folder, { recursive: true }))

  test('Redocly reports nothing', () => {
    const { stdout, stderr } = run(
      '@redocly/cli/bin/cli.js',
      'lint openapi.json --config redocly.yaml --format json',
    )
    expect(JSON.parse(stdout), stderr).toMatchObject({ totals: { errors: 0, warnings: 0 }, problems: [] })
  })

  test('Spectral reports nothing', () => {
    const { stdout, stderr } = run(
      '@stoplight/spectral-cli/dist/index.js',
      'lint openapi.json --ruleset spectral.yaml --format json --quiet',
    )
    expect(JSON.parse(stdout), stderr).toEqual([])
  })

  function run(script: string, args: string) {
    const path = createRequire(import.meta.url).resolve(script)
    return spawnSync(process.execPath, [path, ...args.split(' ')], {
      cwd: folder,
      encoding: 'utf8',
      env: { ...process.env, REDOCLY_TELEMETRY: 'off', REDOCLY_SUPPRESS_UPDATE_NOTICE: 'true' },
    })
  }
})
