/** The texts of the suggestions. Those of a status and a fix are the same as in "My reports". */
export interface SuggestionsMessages {
  /** Says that the title is sent while a person types. */
  readonly note: string
  /** Comes before the number of known issues. */
  readonly found: string
  readonly same: string
  /** Comes between the version that contains the fix and the one of this app. */
  readonly youHave: string
}

/** Comes before a version. "My reports" has the same text. */
export const FIXED_IN = 'Fixed in '

export const ENGLISH: SuggestionsMessages = {
  note: 'This text is sent while you type, to find known problems.',
  found: 'Known problems like this: ',
  same: 'I have this problem too',
  youHave: ', you have ',
}
