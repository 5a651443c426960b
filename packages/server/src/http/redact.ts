/** Keys, including mistyped ones, and webhook secrets: base64, encoded or not. */
const SECRETS = /(bgl_sec_|bgl_pub_|bgl_pat_)[^&/]+|(whsec_)[\w+/=%-]+/g

/**
 * The text without keys and secrets. They belong in headers and bodies, which are never logged; one in
 * a URL must not appear in a log.
 */
export function redact(text: string): string {
  return text.replaceAll(SECRETS, '$1$2…')
}
