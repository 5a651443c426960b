import { type Answer, type Endpoint, endpoints } from '@bugle/contract'
import type { Plugin } from 'vite'

const CONTRACT = '@bugle/contract'
const SLIM = `\0${CONTRACT}`

/** The client needs an endpoint's address and how bodies are sent; the schemas, and the library that makes them, stay at home. */
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
  return mapValues<Endpoint, object>(endpoints, ({ name, method, path, mediaTypes, answers }) => ({
    name,
    method,
    path,
    mediaTypes,
    answers: mapValues<Answer, object>(answers, ({ mediaType }) => ({ mediaType })),
  }))
}

function mapValues<T, U>(object: Readonly<Record<string, T>>, change: (value: T) => U): Record<string, U> {
  return Object.fromEntries(Object.entries(object).map(([key, value]) => [key, change(value)]))
}
