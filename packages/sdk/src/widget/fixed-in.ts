/** Comes before a version. "My reports" and the suggestions share it. */
export const FIXED_IN = 'Fixed in '
