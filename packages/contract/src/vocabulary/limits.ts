/** Every limit of the API, with its unit in the name. Characters are Unicode code points. */

/** Bodies of submissions and issue changes. Other endpoints accept less, see `maxBodyBytes` of each. */
export const MAX_BODY_BYTES = 256 * 1024

export const MAX_TITLE_CHARS = 256
export const MAX_DESCRIPTION_CHARS = 32_768
export const MAX_APP_VERSION_CHARS = 64
export const MAX_BUILD_NUMBER_CHARS = 64
export const MAX_OS_VERSION_CHARS = 128
export const MAX_DEVICE_MODEL_CHARS = 128
export const MAX_PLATFORM_CHARS = 32
export const MAX_BRANCH_CHARS = 255
export const MAX_SUBMISSION_ID_CHARS = 128
/** The longest id of Bugle's own that a request may contain; they are shorter. */
export const MAX_ID_CHARS = 64
export const MAX_FINGERPRINT_CHARS = 128
export const MAX_EXCEPTIONS = 10
export const MAX_EXCEPTION_TEXT_CHARS = 8_192
export const MAX_FRAMES = 250
export const MAX_FRAME_TEXT_CHARS = 512
/** Source lines before and after the line of a frame. */
export const MAX_SOURCE_LINES = 5
export const MAX_SOURCE_LINE_CHARS = 256
export const MAX_MECHANISM_CHARS = 64
/** Of all exceptions of a report, as JSON. Source lines and frames beyond it are not stored. */
export const MAX_STORED_EXCEPTION_CHARS = 65_536
export const MAX_METADATA_MEMBERS = 50
export const MAX_METADATA_KEY_CHARS = 64
export const MAX_METADATA_STRING_CHARS = 1_024
export const MAX_CONTEXT_FIELDS = 30
export const MAX_CONTEXT_NAME_CHARS = 64
export const MAX_CONTEXT_STRING_CHARS = 512
/** Each field of a reporter: the longest email address. */
export const MAX_REPORTER_CHARS = 254
/** Reporters of an issue that are counted, and that a list finds the issue by; those after them are only shown on their reports. */
export const MAX_COUNTED_REPORTERS = 1_000
export const MAX_SDK_NAME_CHARS = 64
export const MAX_SDK_VERSION_CHARS = 64
export const MAX_NOTE_CHARS = 4_096

/** Issues that one bulk change covers. */
/** Duplicates of one issue. */
export const MAX_DUPLICATES = 200
export const MAX_BULK_ISSUES = 1_000
export const MAX_BULK_ID_CHARS = 128

export const MAX_COMMENT_CHARS = 8_192
export const MAX_COMMENT_ID_CHARS = 128
/** Comments of an issue, including deleted ones. */
export const MAX_ISSUE_COMMENTS = 10_000
/** Messages of a reporter about one report, including deleted ones. */
export const MAX_REPORT_MESSAGES = 200
export const MAX_MESSAGE_CHARS = 4_096
export const MAX_MESSAGE_ID_CHARS = 64
/** The newest reports of a reporter are shown to them, and the newest messages of each. */
export const MAX_MY_REPORTS = 100
export const MAX_SHOWN_MESSAGES = 100
/** Issues of a project that are published as known issues, and how many of them a search returns. */
export const MAX_KNOWN_ISSUES = 2_000
export const MAX_KNOWN_MATCHES = 3
export const MAX_KNOWN_TITLE_CHARS = 120
export const MAX_KNOWN_TEXT_CHARS = 2_000
/** People that one comment can mention. */
export const MAX_MENTIONS = 20

/** Files that one report may declare. The default limits on their sizes are settings of the server. */
export const MAX_ATTACHMENTS = 10
export const MAX_ATTACHMENT_NAME_CHARS = 255
export const MAX_CONTENT_TYPE_CHARS = 127
/** The largest size that a declaration may contain; the limit of a server is a setting, 10 MiB by default. */
export const MAX_DECLARED_BYTES = 2 ** 32
/** For an issue with many reports, the files of the first and of the latest reports are kept. */
export const FIRST_REPORTS_WITH_FILES = 20
export const LATEST_REPORTS_WITH_FILES = 80
/** The newest files that statistics count. */
export const MAX_COUNTED_ATTACHMENTS = 1_000

/** Labels of a project, and of an issue. */
export const MAX_LABELS = 200
export const MAX_ISSUE_LABELS = 20
export const MAX_LABEL_NAME_CHARS = 50

export const DEFAULT_PAGE_SIZE = 25
export const MAX_PAGE_SIZE = 100
/** Rows that `page` may reach; beyond them, use a cursor. */
export const MAX_PAGED_ROWS = 10_000
/** Rows that one request examines if no index fits its filters; then it returns what it has found, with a cursor. */
export const MAX_EXAMINED_ROWS = 10_000
export const MAX_FILTER_VALUES = 20
export const MAX_SEARCH_CHARS = 512
export const EXCERPT_CHARS = 200

export const DEFAULT_FEED_SIZE = 100
export const MAX_FEED_SIZE = 1_000

export const MAX_WEBHOOK_URL_CHARS = 2_048
export const MAX_WEBHOOK_NAME_CHARS = 100
/** Webhooks of a project, in each lane. */
export const MAX_WEBHOOKS = 100

export const DEFAULT_STATS_DAYS = 30
/** The newest issues that statistics of a period are based on. */
export const MAX_PERIOD_ISSUES = 5_000
export const MAX_STATS_DAYS = 365
/** The number of versions with a separate series in the statistics by version. */
export const MAX_CHARTED_VERSIONS = 5
/** Values that clients can make up are counted by name up to this number, per project and dimension; the rest as `other`. */
export const MAX_COUNTED_VALUES = 1_000
/** The name that further values are counted under. It is also a valid platform; `includesRest` in the statistics tells them apart. */
export const OTHER_VALUE = 'other'
/** Versions, operating systems, device models and branches that statistics show: the most frequent. */
export const MAX_SHOWN_VALUES = 10
/** The newest builds that are listed for a version. */
export const MAX_SHOWN_BUILDS = 20

export const MAX_PROJECT_NAME_CHARS = 100
export const MAX_PROJECT_DESCRIPTION_CHARS = 1_000
export const MAX_PROJECT_URL_CHARS = 2_048

/** Projects that a person may be limited to. */
export const MAX_USER_PROJECTS = 1_000
export const MAX_KEY_NAME_CHARS = 100
export const MAX_ORIGINS = 50
/** How old a sign-in may be for changes of who may do what. */
export const RECENT_SIGN_IN_MS = 15 * 60_000
export const MAX_EMAIL_CHARS = 254
export const MAX_USER_NAME_CHARS = 100
export const MIN_PASSWORD_CHARS = 10
export const MAX_PASSWORD_CHARS = 256
/** Sessions of a person; a further one ends the least recently used. */
export const MAX_SIGN_INS = 100
/** Personal access tokens of a person. */
export const MAX_ACCESS_TOKENS = 50
export const MAX_ACCESS_TOKEN_DAYS = 366
export const MAX_VIEWS = 50
/** Views that are shared with the people of a project. */
export const MAX_SHARED_VIEWS = 100
export const MAX_VIEW_NAME_CHARS = 100
export const MAX_VIEW_QUERY_CHARS = 1_024

/** Faults that are listed in one problem. */
export const MAX_LISTED_FAULTS = 20
