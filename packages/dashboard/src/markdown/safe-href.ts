const PROTOCOLS: readonly string[] = ['http:', 'https:', 'mailto:']

/** The address of a link, if it is one that may be followed: for the web or for email, and without credentials. */
export function safeHref(address: string): string | undefined {
  if (!URL.canParse(address)) return undefined
  const { protocol, username, password, href } = new URL(address)
  // `https://bank.example@evil.example` is a link to evil.example.
  return PROTOCOLS.includes(protocol) && username === '' && password === '' ? href : undefined
}
