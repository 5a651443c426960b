import { testLargeTransfer } from '../../../../test-support/large-transfer.ts'

testLargeTransfer(50_000)
