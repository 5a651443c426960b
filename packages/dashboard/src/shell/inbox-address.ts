/** What the inbox opens with: what nobody has looked at yet. */
export const INBOX_SEARCH = { status: 'open' }
