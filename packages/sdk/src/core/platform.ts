import type { DeviceFields } from './types.ts'

/** All the SDK needs of the place it runs in. Any function may throw or reject: the core expects it. */
export interface Platform {
  /** Which build of the SDK this is, as the server counts it. */
  readonly sdkName: string
  readDevice(): DeviceReading
  /** The durable place of one project's reports. */
  openStore(): Store
  /** Does the task unless another tab or process is at it; says whether it did. */
  runAlone(task: () => Promise<void>): Promise<boolean>
  /** `hide`: this may be the last moment. `wake`: the network or the person is back. Returns what ends the watch. */
  watchLife(listener: (moment: 'hide' | 'wake') => void): () => void
  isOnline(): boolean
  /** Whether a developer is looking: then mistakes are printed. */
  isDevelopment(): boolean
  fetch(url: string, request: HttpRequest): Promise<HttpResponse>
  /** Calls back after a while, without keeping a process alive. Returns what cancels it. */
  later: Timer
  /** The same, but it keeps a process alive, because the caller is waiting. */
  wait: Timer
  now(): number
  /** From 0 up to 1. */
  random(): number
}

export type Timer = (task: () => void, milliseconds: number) => () => void

/** As much of a request as the SDK asks for. */
export interface HttpRequest {
  readonly method?: string
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: string
  readonly keepalive?: boolean
  readonly signal?: AbortSignal
}

/** As much of a response as the SDK reads. */
export interface HttpResponse {
  readonly status: number
  readonly headers: { get(name: string): string | null }
  readonly body?: ReadableStream<Uint8Array> | null
  /** The whole text, where there is no `body` to read it from. */
  text(): Promise<string>
}

/** What is known at once, and what takes a moment to find out. */
export interface DeviceReading {
  readonly known: DeviceFields
  readonly soon?: Promise<DeviceFields> | undefined
}

/** Texts by id that outlive the page or process, as well as the platform can. */
export interface Store {
  /** It lasts only as long as the page or process. */
  readonly isVolatile?: boolean
  /** Resolves once the text is safe; where the platform can, it is so already when the call returns. */
  put(id: string, text: string): Promise<void>
  /** Writes a note: it is done when the call returns, where the platform can. */
  putNow(id: string, text: string): void
  /** The note of this id, `null` if there is none, `undefined` where it cannot be read at once. */
  readNow(id: string): string | null | undefined
  remove(id: string): Promise<void>
  /** In the order of the ids. */
  readAll(): Promise<ReadonlyMap<string, string>>
}
