import { MAX_PROJECT_URL_CHARS } from '@bugle/contract'

type Read = { readonly url: string | null } | { readonly fault: string }

/** A URL of a project as it is stored: in the spelling of the URL standard, so that a page can link to it. Empty: none. */
export function readProjectUrl(text: string): Read {
  if (text.trim() === '') return { url: null }
  const url = URL.canParse(text) ? new URL(text) : undefined
  if (url === undefined || !/^https?:$/.test(url.protocol) || url.href.length > MAX_PROJECT_URL_CHARS)
    return {
      fault: `must be an http or https URL of at most ${MAX_PROJECT_URL_CHARS} characters, not "${text}"`,
    }
  if (url.username !== '' || url.password !== '') return { fault: 'must not contain a user name or password' }
  return { url: url.href }
}
