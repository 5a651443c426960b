/** The time in milliseconds. Passed in wherever a rule depends on it. */
export type Clock = () => number

export const systemClock: Clock = () => Date.now()
