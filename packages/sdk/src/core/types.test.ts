import type { Category as ContractCategory, IssueSubmission, SdkConfig } from '@bugle/contract'
import { expectTypeOf, test } from 'vitest'
import type { Category, RemoteConfig, Report } from './types.ts'

// The published types must not mention the contract, which is not published: this file compares them with it.
test('the types match the contract', () => {
  expectTypeOf<Category>().toEqualTypeOf<ContractCategory>()
  expectTypeOf<SdkConfig>().toExtend<RemoteConfig>()
  // In a `text/plain` body the key is a field, and `queuedAt` is not sent.
  expectTypeOf<Exclude<keyof Report, 'publicKey' | 'queuedAt'>>().toExtend<keyof IssueSubmission>()
})
