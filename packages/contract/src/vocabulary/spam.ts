/** After this time, an issue that was marked as spam is deleted, and reports no longer tell who sent them. */
export const SPAM_DAYS = 30
