/** Every maximum of the API, with its unit in the name. Characters are Unicode code points. */

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
export const MAX_FINGERPRINT_CHARS = 128
export const MAX_METADATA_MEMBERS = 50
export const MAX_METADATA_KEY_CHARS = 64
export const MAX_METADATA_STRING_CHARS = 1_024
export const MAX_SDK_NAME_CHARS = 64
export const MAX_SDK_VERSION_CHARS = 64
export const MAX_NOTE_CHARS = 4_096

export const DEFAULT_PAGE_SIZE = 25
export const MAX_PAGE_SIZE = 100
/** Rows that `page` may reach; beyond them the cursor leads on. */
export const MAX_PAGED_ROWS = 10_000
/** Rows that one request looks at where no index fits its filters; then it answers what it has, with a cursor. */
export const MAX_EXAMINED_ROWS = 10_000
export const MAX_FILTER_VALUES = 20
export const MAX_SEARCH_CHARS = 512
export const EXCERPT_CHARS = 200

export const DEFAULT_FEED_SIZE = 100
export const MAX_FEED_SIZE = 1_000

export const MAX_WEBHOOK_URL_CHARS = 2_048
export const MAX_WEBHOOK_NAME_CHARS = 100
/** Webhooks of a project; as many again may include the security lane. */
export const MAX_WEBHOOKS = 100

export const DEFAULT_STATS_DAYS = 30
/** Issues that statistics of a period are counted from at most: the newest. */
export const MAX_PERIOD_ISSUES = 5_000
export const MAX_STATS_DAYS = 365
/** Values that strangers may make up are counted by name up to this many, per project and dimension; the rest as `other`. */
export const MAX_COUNTED_VALUES = 1_000
/** What further values are counted as. It is a platform's name too: `includesRest` in the statistics tells. */
export const REST_VALUE = 'other'
export const MAX_SHOWN_APP_VERSIONS = 10

export const MAX_EMAIL_CHARS = 254
export const MAX_USER_NAME_CHARS = 100
export const MIN_PASSWORD_CHARS = 10
export const MAX_PASSWORD_CHARS = 256
/** Sign-ins of a person that are kept; one more ends the one not seen for longest. */
export const MAX_SIGN_INS = 100
export const MAX_VIEWS = 50
export const MAX_VIEW_NAME_CHARS = 100
export const MAX_VIEW_QUERY_CHARS = 1_024

/** Faults that are collected and listed in one problem. */
export const MAX_LISTED_FAULTS = 20
