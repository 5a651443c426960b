/** What every platform offers besides its own `init`. */
export { close, flush, getConfig, report, setUser } from './api.ts'
export { captureException } from './crash/capture-exception.ts'
export { type Diagnosis, diagnose } from './diagnose.ts'
export { scrub } from './reports/scrub.ts'
export type {
  AttachedFile,
  BeforeSend,
  Category,
  DeclaredFile,
  DeviceFields,
  DropReason,
  ExceptionHint,
  InitOptions,
  QueuedReason,
  RemoteConfig,
  ReportContent,
  Reporter,
  ReportInput,
  ReportResult,
  Values,
} from './types.ts'
