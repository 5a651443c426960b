import './docs.css'
import { addCopyButtons } from './copy-code.ts'
import { startSearch } from './search.ts'

/** The script of the documentation pages. They can be read without it. */

followSystemTheme()
nameServer()
addCopyButtons()
letCodeScroll()
closeMenuOnUse()
startSearch()

/** The theme was set at the first paint; this follows changes of the system theme. */
function followSystemTheme(): void {
  const isDark = matchMedia('(prefers-color-scheme: dark)')
  isDark.addEventListener('change', () => {
    const chosen = localStorage.getItem('bugle-theme')
    if (chosen === null)
      document.documentElement.dataset['mantineColorScheme'] = isDark.matches ? 'dark' : 'light'
  })
}

/** Examples use the server's address in this browser. */
function nameServer(): void {
  for (const place of document.querySelectorAll('.server-url')) place.textContent = location.origin
}

/** Scrollable elements must be reachable with the keyboard. */
function letCodeScroll(): void {
  const watch = new ResizeObserver((entries) => {
    for (const { target } of entries) {
      if (target.scrollWidth > target.clientWidth) target.setAttribute('tabindex', '0')
      else target.removeAttribute('tabindex')
    }
  })
  for (const block of document.querySelectorAll('pre')) watch.observe(block)
}

/** A link within the page closes the menu. */
function closeMenuOnUse(): void {
  const menu = document.getElementById('contents')
  menu?.addEventListener('click', ({ target }) => {
    if (target instanceof Element && target.closest('a') !== null && menu.matches(':popover-open'))
      menu.hidePopover()
  })
}
