import { randomBytes } from 'node:crypto'
import pg from 'pg'

/** Runs a statement on a separate connection. */
export async function query(url: string, statement: string): Promise<void> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  await client.query(statement).finally(() => client.end())
}

/** Creates an empty database on a server, with an owner who is not a superuser, and returns its address. */
export async function addDatabase(server: { readonly url: string }): Promise<string> {
  const name = `bugle_${randomBytes(6).toString('hex')}`
  await query(server.url, `CREATE ROLE ${name} LOGIN`)
  await query(server.url, `CREATE DATABASE ${name} OWNER ${name}`)
  const url = new URL(server.url)
  url.username = name
  url.pathname = `/${name}`
  return url.href
}
