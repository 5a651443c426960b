import { readFileSync } from 'node:fs'
import { load } from 'js-yaml'

export interface Service {
  readonly image: string
  readonly build?: string
  readonly pull_policy?: string
  readonly profiles?: readonly string[]
  readonly environment?: Readonly<Record<string, string>>
  readonly ports?: readonly string[]
  readonly volumes?: readonly string[]
  readonly stop_grace_period?: string
  readonly depends_on?: Readonly<Record<string, unknown>>
}

export interface Composition {
  readonly services: Readonly<Record<string, Service>>
  readonly volumes: Readonly<Record<string, unknown>>
}

/** Reads a compose file without any variables set: `${NAME:-default}` becomes its default. */
export function readCompose(path: string): Composition {
  const written = JSON.stringify(load(readFileSync(path, 'utf8')))
  return JSON.parse(written.replaceAll(/\$\{\w+:-([^}]*)\}/g, '$1')) as Composition
}
