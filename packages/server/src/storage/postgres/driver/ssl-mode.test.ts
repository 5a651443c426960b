import { chmodSync, chownSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { startPostgres } from '../../../../test-support/start-postgres.ts'
import { findUnprivilegedUser } from '../../../../test-support/unprivileged-user.ts'
import { withClient } from '../../../../test-support/with-client.ts'
import { createConnector } from './connector.ts'

/** Self-signed, for db.example: only of use to this test. */
const CERTIFICATE = {
  'server.key': `-----BEGIN PRIVATE KEY-----
MIGHAgEAMBMGByqGSM49AgEGCCqGSM49AwEHBG0wawIBAQQgQWFvH0LLiBlxVtCH
uiiyZHSJO9TgNsJEzuyqa48FKbShRANCAASaLXbenSezWMIH47TEY5VoihZTINgp
7to7YL053GrC/glrQS/rIGZvfPskgglCr2qE2iH4s+Cxv8Z9eY/2UBUY
-----END PRIVATE KEY-----
`,
  'server.crt': `-----BEGIN CERTIFICATE-----
MIIBgDCCASegAwIBAgIUWckPKN0p3PpnI0nR2jwHNIWrlTIwCgYIKoZIzj0EAwIw
FTETMBEGA1UEAwwKZGIuZXhhbXBsZTAgFw0yNjExMTkyMDU3MTZaGA8yMTI2MTAy
NjIwNTcxNlowFTETMBEGA1UEAwwKZGIuZXhhbXBsZTBZMBMGByqGSM49AgEGCCqG
SM49AwEHA0IABJotdt6dJ7NYwgfjtMRjlWiKFlMg2Cnu2jtgvTncasL+CWtBL+sg
Zm98+ySCCUKvaoTaIfiz4LG/xn15j/ZQFRijUzBRMB0GA1UdDgQWBBTRn2VdkQYV
Y7BVBIC3hfdrq8Z+XDAfBgNVHSMEGDAWgBTRn2VdkQYVY7BVBIC3hfdrq8Z+XDAP
BgNVHRMBAf8EBTADAQH/MAoGCCqGSM49BAMCA0cAMEQCIAIREQaLnQ6VCFKakXQ+
UcdeQvRbGq8CKxXvn90te0OhAiAFoVkIQmxaIY/6FSJAJbw5Gh9yvUVoIgRjAaLk
kpuDEw==
-----END CERTIFICATE-----
`,
}

it('sslmode means what it means to libpq: require encrypts, verify-ca checks the issuer, verify-full also the name', async () => {
  const server = await startPostgres({ isShortLived: true })
  try {
    const issuer = join(server.dataFolder, 'server.crt')
    for (const [name, text] of Object.entries(CERTIFICATE)) {
      const file = join(server.dataFolder, name)
      writeFileSync(file, text)
      chmodSync(file, 0o600)
      const owner = findUnprivilegedUser()
      if (owner) chownSync(file, owner.uid, owner.gid)
    }
    await withClient(server.url, async (client) => {
      await client.query('ALTER SYSTEM SET ssl = on')
      await client.query('SELECT pg_reload_conf()')
    })
    await expect.poll(() => isEncrypted(`${server.url}?sslmode=require`).catch(String)).toBe(true)
    expect(await isEncrypted(`${server.url}?sslmode=disable`)).toBe(false)
    expect(await isEncrypted(`${server.url}?sslmode=verify-ca&sslrootcert=${issuer}`)).toBe(true)
    await expect(isEncrypted(`${server.url}?sslmode=verify-full&sslrootcert=${issuer}`)).rejects.toThrow(
      expect.objectContaining({ cause: expect.objectContaining({ code: 'ERR_TLS_CERT_ALTNAME_INVALID' }) }),
    )
    await expect(isEncrypted(`${server.url}?sslmode=verify-full`)).rejects.toThrow(
      expect.objectContaining({ cause: expect.objectContaining({ code: 'DEPTH_ZERO_SELF_SIGNED_CERT' }) }),
    )
  } finally {
    await server.stop()
  }
})

async function isEncrypted(url: string): Promise<boolean> {
  const { client } = await createConnector(url).connect()
  try {
    const { rows } = await client.query('SELECT ssl FROM pg_stat_ssl WHERE pid = pg_backend_pid()')
    return rows[0].ssl
  } finally {
    await client.end()
  }
}
