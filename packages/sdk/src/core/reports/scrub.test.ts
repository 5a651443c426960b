import { describe, expect, test } from 'vitest'
import { scrub } from './scrub.ts'

describe('a credential is removed', () => {
  test.each([
    // The user, query and fragment of URLs are removed.
    ['https://a.example/p?q=1&token=x#frag', 'https://a.example/p'],
    ['at f (https://a.example/x.js?v=1:2:3)', 'at f (https://a.example/x.js:2:3)'],
    ['at f (https://a.example/x.js#/login/s3cret:2:3)', 'at f (https://a.example/x.js:2:3)'],
    ['postgres://user:pass@db.example/x', 'postgres://db.example/x'],
    ['postgres://user:p@ss@db.example/x', 'postgres://db.example/x'],
    ['redis://:pass@cache:6379', 'redis://cache:6379'],
    ['GET "https://a.example/p?key=1" failed', 'GET "https://a.example/p" failed'],
    // By name.
    ['{"password":"hunter2","name":"Ann"}', '{"password":"[redacted]","name":"Ann"}'],
    ['{"password":"p@ss word"}', '{"password":"[redacted]"}'],
    ['{"password": "p@ss word"}', '{"password": "[redacted]"}'],
    ['{"password":"a\\"b c"}', '{"password":"[redacted]"}'],
    ['{\\"password\\":\\"p@ss word\\",\\"a\\":1}', '{\\"password\\":\\"[redacted]\\",\\"a\\":1}'],
    ["{ passwd: 'two words' }", "{ passwd: '[redacted]' }"],
    ['{"password":"cut off', '{"password":"[redacted]'],
    ['pwd=hunter2', 'pwd=[redacted]'],
    ['Server=db;Uid=app;Pwd=hunter2;', 'Server=db;Uid=app;Pwd=[redacted];'],
    ['password: hunter2', 'password: [redacted]'],
    ['api_key=123&x=1', 'api_key=[redacted]&x=1'],
    ['apiKey: "abc"', 'apiKey: "[redacted]"'],
    ['X-Api-Key: 9f8e7d6c', 'X-Api-Key: [redacted]'],
    ['client_secret=abc', 'client_secret=[redacted]'],
    ['refreshToken=abc', 'refreshToken=[redacted]'],
    ['access-token: a1b2c3', 'access-token: [redacted]'],
    ['RangeError: token=s3cret too far', 'RangeError: token=[redacted] too far'],
    ['a:token=s3cret', 'a:token=[redacted]'],
    ['sessionId=abc', 'sessionId=[redacted]'],
    ['session=abc', 'session=[redacted]'],
    ['aws_secret_access_key=wJalrXUtnFEMI/K7MDENG', 'aws_secret_access_key=[redacted]'],
    ['AccountKey=abc==;Suffix=x', 'AccountKey=[redacted];Suffix=x'],
    ['passphrase="correct horse"', 'passphrase="[redacted]"'],
    ['Cookie: theme=dark; id=s3cret', 'Cookie: [redacted]'],
    ['set-cookie: id=s3cret; Path=/\nnext line', 'set-cookie: [redacted]\nnext line'],
    ['{"cookie":"id=s3cret; b=2"}', '{"cookie":"[redacted]"}'],
    ['document.cookie="id=1; b=2"', 'document.cookie="[redacted]"'],
    // HTTP authentication.
    ['authorization: Bearer abc.def-ghi', 'authorization: Bearer [redacted]'],
    ['Authorization: Basic dXNlcjpwYXNz', 'Authorization: Basic [redacted]'],
    ['{"authorization":"Bearer abc def"}', '{"authorization":"[redacted]"}'],
    ['Bearer abc.def-ghi failed', 'Bearer [redacted] failed'],
    ['Basic dXNlcjpwYXNz refused', 'Basic [redacted] refused'],
    // Keys with a recognisable prefix.
    ['jwt eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxIn0.abc', 'jwt [redacted]'],
    ['key bgl_sec_abcdefghijklmnopqrstuvwxyz', 'key [redacted]'],
    ['ghp_abcdefghijklmnopqrstuvwxyz0123', '[redacted]'],
    ['github_pat_11ABCDEFG0abcdefghij', '[redacted]'],
    ['AKIAIOSFODNN7EXAMPLE is unknown', '[redacted] is unknown'],
    ['AIzaSyA-1234567890abcdefghijklmnopqrstu', '[redacted]'],
    ['sk_live_4eC39HqLyjWDarjtT1zdp7dc', '[redacted]'],
    ['xoxb-123456789012-abcdef', '[redacted]'],
    ['glpat-abcdefghij0123456789', '[redacted]'],
    ['-----BEGIN RSA PRIVATE KEY-----\nMIIE\nabc=\n-----END RSA PRIVATE KEY-----', '[redacted]'],
  ])('%j becomes %j', (text, clean) => {
    expect(scrub(text)).toBe(clean)
  })
})

describe('other text stays', () => {
  test.each([
    'AuthError: user not found',
    'AuthError: user4711 not found',
    'TokenExpiredError: jwt expired',
    'Basic plan',
    'The basic authentication failed.',
    'Basic JavaScript support is missing',
    'bearer token is missing',
    'Password: must be longer',
    'password is too short',
    'Invalid session: expired',
    'auth: failed',
    'sessionExpired: 12',
    'Unexpected token < in JSON at position 0',
    'Unexpected token \'<\', "<html>" is not valid JSON',
    'SyntaxError: Unexpected token: 5',
    'Session expired',
    'author: ann1234567',
    'tokenCount=5',
    'monkey=banana',
    'at save (file:///app/form.js:1:88)',
    'at load (https://cdn.example/react@18/index.js:1:2)',
    'ann@example.com has no mailbox',
    'skip the basics',
    'sk-learn-pipeline-module',
    'asiatic_elephants_everywhere',
    "Cannot read properties of undefined (reading 'token')",
    'Cookie Monster: 3 cookies',
    '::1 refused, 12:30:45',
  ])('%j', (text) => {
    expect(scrub(text)).toBe(text)
  })
})
