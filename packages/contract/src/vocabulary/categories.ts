/** What kind of problem an issue is. */
export const CATEGORIES = ['bug', 'crash', 'performance', 'ui_ux', 'security'] as const
export type Category = (typeof CATEGORIES)[number]

export const DEFAULT_CATEGORY: Category = 'bug'

/** Issues of this category exist only for callers with the scope `security:read`. */
export const SECURITY_CATEGORY: Category = 'security'
