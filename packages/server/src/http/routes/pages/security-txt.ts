import type { FastifyInstance } from 'fastify'
import type { Clock } from '../../../clock.ts'

/** RFC 9116 recommends less than a year. */
const VALID_DAYS = 180
const DAY_MS = 86_400_000

const SECURITY_TXT_PATH = '/.well-known/security.txt'

export interface SecurityTxtDependencies {
  /** Where to report a vulnerability; the preferred one first. */
  readonly contacts: readonly string[]
  /** The server's address, if known. */
  readonly publicUrl: string | null
  readonly clock: Clock
}

/** Serves the contact for vulnerability reports (RFC 9116). */
export function bindSecurityTxt(app: FastifyInstance, parts: SecurityTxtDependencies): void {
  app.get(SECURITY_TXT_PATH, async (_, reply) =>
    reply
      .header('content-type', 'text/plain; charset=utf-8')
      .header('cache-control', 'max-age=86400')
      .send(render(parts)),
  )
}

function render({ contacts, publicUrl, clock }: SecurityTxtDependencies): string {
  // The start of a day, so that the text is the same all day.
  const expires = new Date((Math.floor(clock() / DAY_MS) + VALID_DAYS) * DAY_MS)
  const lines = [
    ...contacts.map((contact) => `Contact: ${contact}`),
    `Expires: ${expires.toISOString()}`,
    ...(publicUrl?.startsWith('https:') ? [`Canonical: ${publicUrl}${SECURITY_TXT_PATH}`] : []),
  ]
  return lines.map((line) => `${line}\n`).join('')
}
