/** The script tag that this file was loaded by. A module has no current script, and a worker no document. */
export const script: HTMLScriptElement | null | undefined = (globalThis.document?.currentScript ??
  globalThis.document?.querySelector('script[data-public-key]')) as HTMLScriptElement | null | undefined
