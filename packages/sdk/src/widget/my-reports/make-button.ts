import { make } from '../make.ts'

/** A button with a text, or with an icon and a name. */
export function makeButton(
  text: string,
  onclick: () => unknown,
  className = '',
  ariaLabel: string | null = null,
): HTMLButtonElement {
  return make('button', { type: 'button', className, onclick, ariaLabel }, text)
}
