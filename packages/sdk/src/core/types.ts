/** What kind of problem a report is about; the same words as the server's. */
export type Category = 'bug' | 'crash' | 'performance' | 'ui_ux' | 'security'

/** What a person tells. Everything else the SDK finds out. */
export interface ReportInput {
  readonly title: string
  readonly description?: string | undefined
  readonly category?: Category | undefined
}

/** What the SDK finds out about the app and the device; a member that is not known is absent. */
export interface DeviceFields {
  readonly appVersion?: string | undefined
  readonly buildNumber?: string | undefined
  readonly osVersion?: string | undefined
  readonly deviceModel?: string | undefined
  readonly platform?: string | undefined
  readonly branch?: string | undefined
}

/** What a report says. */
export interface ReportContent extends DeviceFields {
  readonly title: string
  readonly description?: string | undefined
  readonly category?: string | undefined
  /** Only reports made by a machine have one: they are the first to go when there is no room. */
  readonly fingerprint?: string | undefined
  readonly metadata?: Readonly<Record<string, string | number | boolean>> | undefined
}

/** A report as it is stored and sent. It is frozen at capture: a retry is the same submission. */
export interface Report extends ReportContent {
  readonly publicKey: string
  readonly submissionId: string
  readonly occurredAt: string
  readonly sdk: { readonly name: string; readonly version: string }
  /** Since when it has been waiting by the server's clock. Stored, but not sent. */
  readonly queuedAt?: number | undefined
}

/** Why a report waits in the queue. `key-refused`: the server does not accept the public key, or not from here. */
export type QueuedReason = 'offline' | 'retrying' | 'held' | 'key-refused' | 'disabled' | 'sdk-outdated'

/** Every way in which a report can be lost. */
export type DropReason =
  | 'not-initialised'
  | 'invalid'
  | 'disabled'
  | 'sdk-outdated'
  | 'sampled'
  | 'ignored'
  | 'repeated'
  | 'rate-limited'
  | 'before-send'
  | 'overflow'
  | 'expired'
  | 'refused'
  | 'unreadable'
  | 'internal'

/** What became of a report. `queued` means that it is kept and will be sent. */
export type ReportResult = ResultNotes &
  (
    | { readonly status: 'sent'; readonly id: string; readonly issueId: string | undefined }
    | { readonly status: 'queued'; readonly id: string; readonly reason: QueuedReason }
    | { readonly status: 'dropped'; readonly id?: string | undefined; readonly reason: DropReason }
  )

/** What else a result may say. */
export interface ResultNotes {
  /** What was shortened or removed, such as `title` or `metadata.screen`, because it was too long or not allowed. */
  readonly trimmed?: readonly string[]
  /** The same report was made within the last 10 seconds: this is its result, and there is no second report. */
  readonly isRepeat?: boolean
}

/** Where an exception comes from. */
export interface ExceptionHint {
  /** `false` when nothing in the app caught it. */
  readonly isHandled?: boolean
  /** The page or process is about to end: the report is sent at the next start, and nothing can wait for a promise. */
  readonly isFatal?: boolean
}

/** The server's advice, as `GET /v1/sdk-config` answers it. */
export interface RemoteConfig {
  readonly project?: { readonly id: string }
  readonly enabled: boolean
  readonly minSdkVersion: string | null
  readonly latestSdkVersion: string
  readonly features: Readonly<Record<string, boolean | number | string>>
  readonly categories: readonly string[]
  readonly crash: { readonly enabled: boolean; readonly sampleRate: number }
  readonly refreshAfterSeconds: number
}

/** The report as it will be sent, or nothing if it must not be. */
export type BeforeSend = (content: ReportContent) => Judged | Promise<Judged>
type Judged = ReportContent | null | undefined

/** What `init` takes. Device fields given here win over what is detected. */
export interface InitOptions extends DeviceFields {
  /** Where the server is: `https://bugs.example.com`, or a path of the page's own origin. */
  readonly endpoint: string
  /** `bgl_pub_…`; it is no secret. */
  readonly publicKey: string
  /**
   * Sees every report before it is stored, and may change it. What it returns is sent; `null`, or an exception, drops the
   * report. If it returns a promise, the report is stored once that is resolved, for which it has ten seconds. A fatal
   * crash cannot wait for a promise and is dropped.
   */
  readonly beforeSend?: BeforeSend | undefined
  /** Hears of every report that is given up; the id is absent where there was no report yet. */
  readonly onDrop?: ((reason: DropReason, id?: string) => void) | undefined
  /**
   * Errors that are not reported: a text that the title (`TypeError: x is not a function`) contains, or a pattern that
   * matches it. It is tested against at most 1,300 characters.
   */
  readonly ignoreErrors?: readonly (string | RegExp)[] | undefined
  /**
   * Removes credentials from the title and the description of a crash, instead of the function that comes with the SDK
   * (`scrub`). An exception redacts the whole text.
   */
  readonly scrub?: ((text: string) => string) | undefined
}
