/** What a one-time link is for: the first password of a person, or a new one. */
export const LINK_PURPOSES = ['first', 'reset'] as const

/** The cookie of whoever is signed in. Where the server is reached by https, its name forbids any other scope (RFC 6265bis, 4.1.3). */
export const SESSION_COOKIE = 'bugle_session'
export const SECURE_SESSION_COOKIE = `__Host-${SESSION_COOKIE}`

/** What a change by cookie must carry: a page of another origin can not send it, as no preflight allows it. */
export const CSRF_HEADER = 'Bugle-Csrf'
