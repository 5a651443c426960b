import { expect, test } from 'vitest'
import packageJson from '../../package.json' with { type: 'json' }
import { isOlder, SDK_VERSION } from './version.ts'

test('the version matches the package', () => {
  expect(SDK_VERSION).toBe(packageJson.version)
})

test.each([
  ['0.1.0', '0.2.0', true],
  ['0.9.0', '0.10.0', true],
  ['1.0.0', '1.0.0', false],
  ['1.0.1', '1.0.0', false],
  ['1.0.0', '1.0.0-beta.1', false],
  ['0.1.0', '', false],
])('%s is older than %s: %s', (version, other, expected) => {
  expect(isOlder(version, other)).toBe(expected)
})
