import type { DeviceFields, Values } from './types.ts'

/** Everything the SDK needs from the platform. Any function may throw or reject: the core expects it. */
export interface Platform {
  /** The build of the SDK, as reported to the server. */
  readonly _sdkName: string
  _readDevice(): DeviceReading
  /** Where a report comes from, if the platform knows more than the device fields. */
  _readContext?(): Values | undefined
  /** The durable store for one project's reports. */
  _openStore(): Store
  /** Runs the task unless another tab or process is running it; returns whether it did. */
  _runAlone(task: () => Promise<void>): Promise<boolean>
  /** `hide`: this may be the last moment. `wake`: the network or the page is active again. Returns a function that stops watching. */
  _watchLife(listener: (moment: 'hide' | 'wake') => void): () => void
  _isOnline(): boolean
  /** Whether this is a development build, in which mistakes are printed. */
  _isDevelopment(): boolean | undefined
  fetch(url: string, request: HttpRequest): Promise<HttpResponse>
  /** Calls back after a delay, without keeping the process alive. Returns a function that cancels it. */
  _later: Timer
  /** The same, but keeps the process alive, because the caller is waiting. */
  _wait: Timer
  _now(): number
  /** From 0 up to 1. */
  _random(): number
}

export type Timer = (task: () => void, milliseconds: number) => () => void

/** The part of a request that the SDK uses. */
export interface HttpRequest {
  readonly method?: string
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: string | Uint8Array<ArrayBuffer>
  readonly keepalive?: boolean
  readonly redirect?: 'error'
  readonly signal?: AbortSignal
}

/** The part of a response that the SDK reads. */
export interface HttpResponse {
  readonly status: number
  readonly headers: { get(name: string): string | null }
  readonly body?: ReadableStream<Uint8Array> | null
  /** The whole text, where there is no `body` to read it from. */
  text(): Promise<string>
}

/** The fields that are known immediately, and those that take a moment. */
export interface DeviceReading {
  readonly _known?: DeviceFields
  readonly _soon?: Promise<DeviceFields> | undefined
}

/** Texts by id that survive the page or process, as far as the platform allows. */
export interface Store {
  /** It lasts only as long as the page or process. */
  readonly _isVolatile?: boolean
  /** Resolves once the text is stored; if the platform supports it, the text is stored by the time the call returns. */
  _put(id: string, text: string): Promise<void>
  /** Writes a note; if the platform supports it, the note is written by the time the call returns. */
  _putNow(id: string, text: string): void
  /** The note with this id, `null` if there is none, `undefined` if it cannot be read synchronously. */
  _readNow(id: string): string | null | undefined
  _remove(id: string): Promise<void>
  /** In the order of the ids. */
  _readAll(): Promise<ReadonlyMap<string, string>>
}
