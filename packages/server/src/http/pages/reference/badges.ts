import { type Html, html } from '../page.ts'

/** The method of an operation, in its colour. */
export function methodTag(method: string): Html {
  return html`<span class="tag ${method}">${method.toUpperCase()}</span>`
}

/** An HTTP status, in the colour of its class. */
export function statusTag(status: string | number): Html {
  return html`<span class="status s${String(status).charAt(0)}">${status}</span>`
}
