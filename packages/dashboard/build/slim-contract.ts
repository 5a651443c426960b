import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { type Answer, type Endpoint, endpoints } from '@bugle/contract'
import { settingsEndpoints } from '@bugle/contract/settings'
import type { Plugin } from 'vite'

const CONTRACT = '@bugle/contract'
/** Only the settings page needs these. */
const SETTINGS = `${CONTRACT}/settings`

/** The code that may call endpoints. */
const SOURCES = ['packages/dashboard/src/**/*.{ts,tsx}', 'packages/client/src/*.ts']

/** The client needs only an endpoint's address and body format, so the schemas and their library are left out; so are endpoints that no page names. */
export function slimContract(): Plugin {
  return {
    name: 'bugle:slim-contract',
    enforce: 'pre',
    resolveId: (id) => (id === CONTRACT || id === SETTINGS ? `\0${id}` : undefined),
    load(id) {
      if (id === `\0${SETTINGS}`)
        return `export const settingsEndpoints = ${JSON.stringify(slim(settingsEndpoints))}`
      if (id !== `\0${CONTRACT}`) return undefined
      return `export const endpoints = ${JSON.stringify(slim(endpoints))}\nexport * from '${CONTRACT}/vocabulary'`
    },
  }
}

function slim(table: Readonly<Record<string, Endpoint>>): Readonly<Record<string, object>> {
  const code = codeOfPages()
  const used = Object.entries(table).filter(([name]) => code.includes(`.${name}`))
  return mapValues<Endpoint, object>(Object.fromEntries(used), ({ method, path, mediaTypes, answers }) => ({
    method,
    path,
    mediaTypes,
    answers: textsOf(answers),
  }))
}

function codeOfPages(): string {
  const root = join(import.meta.dirname, '../../..')
  return globSync(SOURCES, { cwd: root })
    .map((file) => readFileSync(join(root, file), 'utf8'))
    .join('\n')
}

/** Only responses that are not JSON have to be told apart. */
function textsOf(answers: Endpoint['answers']): object {
  const entries = Object.entries<Answer>(answers).filter(([, { mediaType }]) => mediaType !== undefined)
  return Object.fromEntries(entries.map(([status, { mediaType }]) => [status, { mediaType }]))
}

function mapValues<T, U>(object: Readonly<Record<string, T>>, change: (value: T) => U): Record<string, U> {
  return Object.fromEntries(Object.entries(object).map(([key, value]) => [key, change(value)]))
}
