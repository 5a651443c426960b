import { endpoints } from '@bugle/contract'
import type { Plugin } from 'vite'

const CONTRACT = '@bugle/contract'
const SLIM = `\0${CONTRACT}`

/** A page calls endpoints by method and path; their schemas, and the library that makes them, stay at home. */
export function slimContract(): Plugin {
  return {
    name: 'bugle:slim-contract',
    enforce: 'pre',
    resolveId: (id) => (id === CONTRACT ? SLIM : undefined),
    load: (id) =>
      id === SLIM
        ? `export const endpoints = ${JSON.stringify(slimEndpoints())}\nexport * from '${CONTRACT}/vocabulary'`
        : undefined,
  }
}

function slimEndpoints(): Readonly<Record<string, object>> {
  return Object.fromEntries(
    Object.entries(endpoints).map(([key, { name, method, path, ...rest }]) => {
      const mediaTypes = 'mediaTypes' in rest ? rest.mediaTypes : undefined
      return [key, { name, method, path, mediaTypes }]
    }),
  )
}
