/** The kind of problem that a report is about. The values are the same as the server's. */
export type Category = 'bug' | 'crash' | 'performance' | 'ui_ux' | 'security'

/** What an app reports. The SDK detects everything else. */
export interface ReportInput
  extends Pick<
    ReportContent,
    | 'title'
    | 'description'
    | 'metadata'
    | 'fingerprint'
    | 'knownIssueId'
    | 'context'
    | 'reporter'
    | 'attachments'
    | 'trail'
  > {
  readonly category?: Category | undefined
}

/** The detected fields of the app and the device; unknown fields are absent. */
export interface DeviceFields {
  readonly appVersion?: string | undefined
  readonly buildNumber?: string | undefined
  readonly osVersion?: string | undefined
  readonly deviceModel?: string | undefined
  readonly platform?: string | undefined
  readonly branch?: string | undefined
}

/** The content of a report. */
export interface ReportContent extends DeviceFields {
  readonly title: string
  readonly description?: string | undefined
  readonly category?: string | undefined
  /** Reports with the same fingerprint are counted on one issue. */
  readonly fingerprint?: string | undefined
  /** The known issue that this is about, as found by `searchKnownIssues`. It takes precedence over the fingerprint. */
  readonly knownIssueId?: string | undefined
  /** The thrown errors; the server groups crashes by them. If the queue is full, such reports are dropped first. */
  readonly exception?: readonly ThrownException[] | undefined
  readonly metadata?: Values | undefined
  /** Where it happened. Added to what the SDK collects; `false`: the report has no context. */
  readonly context?: Values | false | undefined
  /** Who reports it, instead of the person given to `setUser`; `null`: no one. */
  readonly reporter?: Reporter | null | undefined
  /**
   * Files that belong to the report, after `enableFiles()`: at most 10, 10 MiB each, and 25 MiB together. They are sent after
   * the report. `beforeSend` gets their names, types, sizes and digests.
   */
  readonly attachments?: readonly (AttachedFile | DeclaredFile)[] | undefined
  /** `false`: the report has no trail, although `startTrail` was called. */
  readonly trail?: boolean | undefined
  /** Added after `startConversations()`, so that the person can follow the report. Without it they cannot. */
  readonly reporterKeyHash?: string | undefined
}

/** A file as browsers have it, or its name and content. */
export type AttachedFile = Blob | NamedFile

/** A file by its name and content. */
export interface NamedFile {
  readonly name: string
  readonly content: Blob | Uint8Array | string
  /** The media type, such as `text/plain`. */
  readonly contentType?: string | undefined
}

/** What a report says about one of its files. */
export interface DeclaredFile {
  readonly name: string
  readonly contentType: string
  readonly size: number
  readonly sha256: string
}

/** Values by name. Those that are `undefined` are not sent. */
export type Values = Readonly<Record<string, string | number | boolean | undefined>>

/** A person, as the app knows them. */
export interface Reporter {
  readonly id?: string | undefined
  readonly name?: string | undefined
  readonly email?: string | undefined
}

/** An error, in the form that the server uses for grouping. */
export interface ThrownException {
  readonly type: string
  readonly value?: string
  /** The stack trace, as written by the JavaScript engine. */
  readonly stack?: string
}

/** A report as it is stored and sent. It does not change after capture, so that a retry is the same submission. */
export interface Report extends Omit<ReportContent, 'trail'> {
  readonly publicKey: string
  readonly submissionId: string
  readonly occurredAt: string
  readonly sdk: { readonly name: string; readonly version: string }
  /** When the report was queued, by the server's clock. Stored, but not sent. */
  readonly queuedAt?: number | undefined
}

/** Why a report is queued. `key-refused`: the server does not accept the public key, or not from this origin. */
export type QueuedReason = 'offline' | 'retrying' | 'held' | 'key-refused' | 'disabled' | 'sdk-outdated'

/** Every reason why a report can be dropped. */
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

/** The result of a report. `queued` means that it is stored and will be sent. */
export type ReportResult = ResultNotes &
  (
    | {
        readonly status: 'sent'
        readonly id: string
        /** Both are absent if an earlier form of the report had already arrived. */
        readonly issueId: string | undefined
        readonly issueNumber?: number | undefined
      }
    | { readonly status: 'queued'; readonly id: string; readonly reason: QueuedReason }
    | { readonly status: 'dropped'; readonly id?: string | undefined; readonly reason: DropReason }
  )

/** Further information in a result. */
export interface ResultNotes {
  /** The fields that were too long or not allowed and were cut or removed, such as `title` or `metadata.screen`. */
  readonly trimmed?: readonly string[]
  /** The same report was submitted within the last 10 seconds. This is its result; no second report was created. */
  readonly isRepeat?: boolean
}

/** Where an exception comes from. */
export interface ExceptionHint
  extends Pick<ReportContent, 'metadata' | 'fingerprint' | 'context' | 'reporter' | 'attachments' | 'trail'> {
  /** `false` when nothing in the app caught it. */
  readonly isHandled?: boolean
  /** The page or process is about to end: the report is sent at the next start, and promises cannot be awaited. */
  readonly isFatal?: boolean
}

export type FeatureValue = boolean | number | string

/** A feature and the conditions for getting it. All conditions that are not `null` must be met. */
export interface LimitedFeature {
  readonly value: FeatureValue
  readonly minAppVersion: string | null
  readonly maxAppVersion: string | null
  readonly platforms: readonly string[] | null
  /** The share of installations, from 0 to 1. */
  readonly share: number
}

/** The SDK configuration from `GET /v1/sdk-config`. */
export interface RemoteConfig {
  readonly project?: { readonly id: string }
  readonly enabled: boolean
  readonly minSdkVersion: string | null
  readonly latestSdkVersion: string
  readonly features: Readonly<Record<string, FeatureValue>>
  /** Features for some apps only. `getConfig()` adds those that apply to this app to `features`. */
  readonly limitedFeatures?: Readonly<Record<string, LimitedFeature>>
  readonly categories: readonly string[]
  readonly crash: { readonly enabled: boolean; readonly sampleRate: number }
  readonly refreshAfterSeconds: number
}

/** Returns the report to send, or `null` or `undefined` to drop it. */
export type BeforeSend = (content: ReportContent) => Judged | Promise<Judged>
type Judged = ReportContent | null | undefined

/** The options of `init`. Device fields given here override detected values. */
export interface InitOptions extends DeviceFields {
  /** The server's URL: `https://bugs.example.com`, or a path of the page's own origin. */
  readonly endpoint: string
  /** `bgl_pub_…`; it is not a secret. */
  readonly publicKey: string
  /**
   * Called for every report before it is stored, and may change it. The return value is sent; `null` or an exception
   * drops the report. If the function returns a promise, the report is stored once the promise resolves, which must
   * happen within ten seconds. A fatal crash cannot wait for a promise and is dropped.
   */
  readonly beforeSend?: BeforeSend | undefined
  /** Called for every dropped report; the id is absent if there was no report yet. */
  readonly onDrop?: ((reason: DropReason, id?: string) => void) | undefined
  /**
   * Errors that are not reported: strings that the title (`TypeError: x is not a function`) contains, or patterns that
   * match it. They are tested against at most 1,300 characters.
   */
  readonly ignoreErrors?: readonly (string | RegExp)[] | undefined
  /**
   * Removes credentials from the title and the description of a crash. Replaces the SDK's own function (`scrub`). If it
   * throws, the whole text is redacted.
   */
  readonly scrub?: ((text: string) => string) | undefined
  /** `false`: reports do not contain the page's address, browser, window size, language, time zone and online state. */
  readonly context?: boolean | undefined
}
