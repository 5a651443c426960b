import { spawnSync } from 'node:child_process'
import { chmodSync, lstatSync, mkdirSync, readdirSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { temporaryFolder } from '../../test-support/temporary-folder.ts'
import { findCodeCache } from './code-cache.ts'

const BUGLE = fileURLToPath(new URL('../../bin/bugle.js', import.meta.url))

let home: ReturnType<typeof temporaryFolder>

beforeEach(() => {
  home = temporaryFolder()
})
afterEach(() => home[Symbol.dispose]())

describe('the folder for compiled code', () => {
  it('is created for its owner only', () => {
    const folder = findCodeCache({ XDG_CACHE_HOME: join(home.path, 'cache') })
    expect(folder).toBe(join(home.path, 'cache', 'bugle'))
    expect(lstatSync(folder ?? '').mode & 0o777).toBe(0o700)
  })

  it('is the cache folder of a service, or the configured one', () => {
    expect(findCodeCache({ CACHE_DIRECTORY: home.path, XDG_CACHE_HOME: '/nowhere' })).toBe(
      join(home.path, 'bugle'),
    )
    expect(findCodeCache({ NODE_COMPILE_CACHE: '/chosen/folder', XDG_CACHE_HOME: home.path })).toBe(
      '/chosen/folder',
    )
  })

  it('is not used if others can write to it', () => {
    mkdirSync(join(home.path, 'bugle'))
    chmodSync(join(home.path, 'bugle'), 0o777)
    expect(findCodeCache({ XDG_CACHE_HOME: home.path })).toBeUndefined()
  })

  it('is not used if it is a link', () => {
    const elsewhere = join(home.path, 'elsewhere')
    mkdirSync(elsewhere)
    symlinkSync(elsewhere, join(home.path, 'bugle'))
    expect(findCodeCache({ XDG_CACHE_HOME: home.path })).toBeUndefined()
  })

  it('is not used if it cannot be created', () => {
    writeFileSync(join(home.path, 'file'), '')
    expect(findCodeCache({ XDG_CACHE_HOME: join(home.path, 'file') })).toBeUndefined()
  })

  it('is the only place where a command writes compiled code', () => {
    const shared = join(home.path, 'temporary')
    mkdirSync(shared)
    const env = { PATH: process.env['PATH'], TMPDIR: shared, XDG_CACHE_HOME: home.path }
    expect(spawnSync(process.execPath, [BUGLE, '--version'], { env }).status).toBe(0)
    expect(readdirSync(shared)).toEqual([])
    expect(readdirSync(join(home.path, 'bugle'))).not.toEqual([])
  })
})
