import type { FastifyInstance } from 'fastify'
import type { Clock } from '../../clock.ts'

/** RFC 9116 wants less than a year; whoever reads it later asks again. */
const VALID_DAYS = 180
const DAY_MS = 86_400_000

const SECURITY_TXT_PATH = '/.well-known/security.txt'

export interface SecurityTxtDependencies {
  /** Where to tell of a hole; the preferred one first. */
  readonly contacts: readonly string[]
  /** Where the server is, if that is known. */
  readonly publicUrl: string | null
  readonly clock: Clock
}

/** Tells whoever finds a hole whom to tell (RFC 9116). */
export function bindSecurityTxt(app: FastifyInstance, parts: SecurityTxtDependencies): void {
  app.get(SECURITY_TXT_PATH, async (_, reply) =>
    reply
      .header('content-type', 'text/plain; charset=utf-8')
      .header('cache-control', 'max-age=86400')
      .send(render(parts)),
  )
}

function render({ contacts, publicUrl, clock }: SecurityTxtDependencies): string {
  // At the beginning of a day, so that the text is the same all day long.
  const expires = new Date((Math.floor(clock() / DAY_MS) + VALID_DAYS) * DAY_MS)
  const lines = [
    ...contacts.map((contact) => `Contact: ${contact}`),
    `Expires: ${expires.toISOString()}`,
    ...(publicUrl?.startsWith('https:') ? [`Canonical: ${publicUrl}${SECURITY_TXT_PATH}`] : []),
  ]
  return lines.map((line) => `${line}\n`).join('')
}
