export * from '@bugle/contract'
export type { Answered, CallInput, Item, Page } from './call-types.ts'
export { type Client, createClient } from './client.ts'
export { ApiProblem, ApiUnreachable, type ProblemCode, type ReceivedProblem } from './problems.ts'
