/** What a one-time link is for: the first password of a person, or a new one. */
export const LINK_PURPOSES = ['first', 'reset'] as const

/** The session cookie. With https, its name prefix binds it to this host (RFC 6265bis, 4.1.3). */
export const SESSION_COOKIE = 'bugle_session'
export const SECURE_SESSION_COOKIE = `__Host-${SESSION_COOKIE}`

/** The header that a change with a session cookie needs: pages of other origins cannot send it, because no preflight allows it. */
export const CSRF_HEADER = 'Bugle-Csrf'
