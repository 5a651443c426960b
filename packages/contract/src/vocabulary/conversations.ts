/** Who is expected to write next, in an issue with replies to reporters or messages from them. */
export const CONVERSATION_STATES = ['waiting-for-reporter', 'waiting-for-team'] as const
export type ConversationState = (typeof CONVERSATION_STATES)[number]

/** The header with the secret of a reporter: 32 random bytes in base64url. Reports have only its SHA-256, in hexadecimal. */
export const REPORTER_HEADER = 'Bugle-Reporter'
export const REPORTER_SECRET_PATTERN = '^[A-Za-z0-9_-]{43}$'
export const REPORTER_KEY_HASH_PATTERN = '^[0-9a-f]{64}$'
