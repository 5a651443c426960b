/** Why a file cannot be opened. */
export const STATE_NAMES = { pending: 'Not received yet', omitted: 'Not kept' } as const
