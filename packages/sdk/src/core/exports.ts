/** What every platform offers besides its own `init`. */
export { close, flush, getConfig, report } from './api.ts'
export { captureException } from './capture-exception.ts'
export { type Diagnosis, diagnose } from './diagnose.ts'
export type { DropReason } from './drops.ts'
export { scrub } from './scrub.ts'
export type {
  BeforeSend,
  Category,
  DeviceFields,
  ExceptionHint,
  InitOptions,
  QueuedReason,
  RemoteConfig,
  ReportContent,
  ReportInput,
  ReportResult,
} from './types.ts'
