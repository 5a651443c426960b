import { describe, expect, it } from 'vitest'
import { ConfigError, readConfig } from './config.ts'
import { DEFAULT_RATE_LIMITS } from './domain/access/rate-limits.ts'

describe('BUGLE_RATE_LIMITS', () => {
  it.each([
    ['', DEFAULT_RATE_LIMITS],
    ['on', DEFAULT_RATE_LIMITS],
    ['off', null],
    ['submit=240', { ...DEFAULT_RATE_LIMITS, submit: 240 }],
    [
      'submit=240, project=12000,upload=4,secret=1,anonymous=2,credentials=3,bulk=5',
      { submit: 240, project: 12_000, upload: 4, secret: 1, anonymous: 2, credentials: 3, bulk: 5 },
    ],
  ])('"%s" is understood', (text, limits) => {
    expect(readConfig({ BUGLE_RATE_LIMITS: text }).rateLimits).toEqual(limits)
  })

  it.each([
    'many',
    'submit',
    'submit=',
    'submit=0',
    'submit=-1',
    'submit=1.5',
    'submit=1=2',
    'submit=1,',
    'toString=1',
  ])('"%s" is refused', (text) => {
    expect(() => readConfig({ BUGLE_RATE_LIMITS: text })).toThrow(ConfigError)
  })

  it('reports everything that is wrong', () => {
    const read = () => readConfig({ BUGLE_RATE_LIMITS: 'sumbit=120,project=many,secret=5', BUGLE_PORT: 'x' })
    expect(read).toThrow(/no limit named "sumbit" and needs project to be a whole number/)
    expect(read).toThrow(/BUGLE_PORT must be/)
  })
})

describe('BUGLE_TRUST_PROXY', () => {
  it.each([
    ['', false],
    ['off', false],
    ['127.0.0.1', '127.0.0.1'],
    ['10.0.0.0/8, ::1,fd00::/8', '10.0.0.0/8, ::1,fd00::/8'],
  ])('"%s" is understood', (text, trustProxy) => {
    expect(readConfig({ BUGLE_TRUST_PROXY: text }).trustProxy).toBe(trustProxy)
  })

  it.each([
    'on',
    'true',
    '1',
    'proxy.example',
    '10.0.0.0/33',
    '10.0.0.0/0',
    '::/129',
    '10.0.0.0/8/8',
    '127.0.0.1,',
  ])('"%s" is refused', (text) => {
    expect(() => readConfig({ BUGLE_TRUST_PROXY: text })).toThrow(/BUGLE_TRUST_PROXY must be/)
  })
})

describe('BUGLE_ALLOW_PRIVATE_WEBHOOKS', () => {
  it.each([
    ['', []],
    ['off', []],
    [
      'hooks.lan, 10.0.0.0/8',
      [
        { kind: 'name', name: 'hooks.lan', port: null },
        { kind: 'network', address: '10.0.0.0', prefix: 8, port: null },
      ],
    ],
  ])('"%s" is understood', (text, allowPrivateWebhooks) => {
    expect(readConfig({ BUGLE_ALLOW_PRIVATE_WEBHOOKS: text })).toMatchObject({ allowPrivateWebhooks })
  })

  it.each(['*', 'hooks.lan,', '10.0.0.0/0', 'http://hooks.lan'])('"%s" is refused', (text) => {
    const read = () => readConfig({ BUGLE_ALLOW_PRIVATE_WEBHOOKS: text })
    expect(read).toThrow(/BUGLE_ALLOW_PRIVATE_WEBHOOKS must be/)
  })
})

describe('BUGLE_SECURITY_CONTACT', () => {
  it.each([
    ['', null],
    ['security@example.com', ['mailto:security@example.com']],
    ['mailto:a@example.com, https://example.com/s', ['mailto:a@example.com', 'https://example.com/s']],
  ])('"%s" is understood', (text, securityContacts) => {
    expect(readConfig({ BUGLE_SECURITY_CONTACT: text })).toMatchObject({ securityContacts })
  })

  it.each(['somebody', 'http://example.com', 'a@b@c', 'a@example.com,', 'a@example.com\nExpires: never'])(
    '"%s" is refused',
    (text) => {
      expect(() => readConfig({ BUGLE_SECURITY_CONTACT: text })).toThrow(/BUGLE_SECURITY_CONTACT must be/)
    },
  )
})

describe('BUGLE_MAX_CONNECTIONS', () => {
  it.each(['9', '0', '-1', '1e3', '1000000', 'many'])('"%s" is refused', (text) => {
    expect(() => readConfig({ BUGLE_MAX_CONNECTIONS: text })).toThrow(/BUGLE_MAX_CONNECTIONS must be/)
  })
})

describe('BUGLE_PUBLIC_URL', () => {
  it.each([
    ['', null],
    ['https://bugle.example.com/', 'https://bugle.example.com'],
    ['http://localhost:4000', 'http://localhost:4000'],
  ])('"%s" is understood', (text, publicUrl) => {
    expect(readConfig({ BUGLE_PUBLIC_URL: text })).toMatchObject({ publicUrl })
  })

  it.each([
    'bugle.example.com',
    'https://example.com/bugle',
    'https://a@example.com',
    'https://example.com/?a',
  ])('"%s" is refused', (text) => {
    expect(() => readConfig({ BUGLE_PUBLIC_URL: text })).toThrow(/BUGLE_PUBLIC_URL must be/)
  })
})

describe('an error message', () => {
  it.each([
    ['BUGLE_METRICS_TOKEN', 'hunter2'],
    ['BUGLE_METRICS_TOKEN', 'hunter2 with a space in it'],
    ['BUGLE_DATABASE_URL', 'postgres://bugle:hunter2@localhost'],
    ['BUGLE_DATABASE_URL', 'mysql://bugle:hunter2@localhost/bugle'],
  ])('about %s does not repeat its value, which may contain a password', (variable, text) => {
    const read = () => readConfig({ [variable]: text })
    expect(read).toThrow(new RegExp(`${variable} must`))
    expect(read).not.toThrow(/hunter2/)
  })
})

describe('BUGLE_DATABASE_URL', () => {
  it.each([
    'sqlite:./data/bugle.db',
    'postgres://bugle:secret@db.example/bugle',
    'postgres://h1:5432,h2:5433/bugle?target_session_attrs=read-write',
  ])('"%s" is understood', (text) => {
    expect(readConfig({ BUGLE_DATABASE_URL: text }).databaseUrl).toBe(text)
  })

  it.each([
    ['mysql://db.example/bugle', /must be "sqlite:" followed by a path, or a "postgres:\/\/" address/],
    ['postgres://db.example', /must be a "postgres:\/\/" address with a database/],
    ['postgres://u:secret@h1:x,h2/bugle', /has a host or port that cannot be read: "h1:x"/],
    ['postgres://h1,h2/bugle?target_session_attrs=standby', /must accept writes: use read-write/],
  ])('"%s" is refused, and its password is not repeated', (text, message) => {
    const read = () => readConfig({ BUGLE_DATABASE_URL: text })
    expect(read).toThrow(message)
    expect(read).not.toThrow(/secret/)
  })
})

describe('BUGLE_BACKUP_URL', () => {
  it('is a folder or a bucket, daily, of which seven are kept', () => {
    const { backupPlace, backupHours, backupKeep } = readConfig({ BUGLE_BACKUP_URL: '/backups' })
    expect([backupPlace, backupHours, backupKeep]).toEqual([{ kind: 'folder', path: '/backups' }, 24, 7])
    expect(
      readConfig({ BUGLE_BACKUP_URL: 's3://key:secret@127.0.0.1:9000/backups' }).backupPlace,
    ).toMatchObject({
      kind: 'bucket',
      bucket: { bucket: 'backups' },
    })
    expect(readConfig({ BUGLE_BACKUP_KEEP: 'all' }).backupKeep).toBeNull()
    expect(readConfig({}).backupPlace).toBeNull()
  })

  it.each([
    [
      { BUGLE_DATABASE_URL: 'postgres://b:s3cret@db.example/b' },
      /for SQLite only.*pg_dump.*docs\/operating\.md/,
    ],
    [{ BUGLE_DATABASE_URL: 'sqlite::memory:' }, /database in memory/],
    [
      { BUGLE_BACKUP_URL: 'https://key:s3cret@backups.example/b' },
      /BUGLE_BACKUP_URL must be an absolute path of a folder/,
    ],
    [{ BUGLE_BACKUP_URL: 's3//key:s3cret@backups.example/b' }, /BUGLE_BACKUP_URL must be an absolute path/],
    [{ BUGLE_BACKUP_URL: 's3://key:s3cret@backups.example' }, /must name a bucket/],
    [{ BUGLE_BACKUP_HOURS: '0' }, /BUGLE_BACKUP_HOURS must be/],
    [{ BUGLE_BACKUP_KEEP: '0' }, /BUGLE_BACKUP_KEEP must be/],
  ])('refuses %j', (settings, says) => {
    const read = () => readConfig({ BUGLE_BACKUP_URL: '/backups', ...settings })
    expect(read).toThrow(says)
    expect(read).not.toThrow('s3cret')
  })
})
