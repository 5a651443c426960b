import type { Category as ContractCategory, IssueSubmission, SdkConfig } from '@bugle/contract'
import { expectTypeOf, test } from 'vitest'
import type { Category, RemoteConfig, Report } from './types.ts'

// The published types must not mention the contract, which is not published: here they are held against it.
test('the types are those of the contract', () => {
  expectTypeOf<Category>().toEqualTypeOf<ContractCategory>()
  expectTypeOf<SdkConfig>().toExtend<RemoteConfig>()
  // The key is part of the body of a text, and `queuedAt` is not sent.
  expectTypeOf<Exclude<keyof Report, 'publicKey' | 'queuedAt'>>().toExtend<keyof IssueSubmission>()
})
