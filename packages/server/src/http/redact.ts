/** Keys, mistyped ones too, and what signs webhooks: base64, encoded or not. */
const SECRETS = /(bgl_sec_|bgl_pub_)[^&/]+|(whsec_)[\w+/=%-]+/g

/**
 * The text without keys and secrets. They belong into headers and bodies, which are never kept; one that has strayed
 * into an address must not stay in a log.
 */
export function redact(text: string): string {
  return text.replaceAll(SECRETS, '$1$2…')
}
