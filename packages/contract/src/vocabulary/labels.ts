/** A colour as in CSS, in lower case: `#1a7f37`. */
export const LABEL_COLOUR_PATTERN = '^#[0-9a-f]{6}$'
export const DEFAULT_LABEL_COLOUR = '#596273'
