import './docs.css'
import { addCopyButtons } from './copy-code.ts'
import { startSearch } from './search.ts'

/** What the pages of the documentation do in a browser. Without it they can be read all the same. */

followSystemTheme()
nameServer()
addCopyButtons()
letCodeScroll()
closeMenuOnUse()
startSearch()

/** The first paint has chosen the theme; this keeps up with the system while the page is open. */
function followSystemTheme(): void {
  const isDark = matchMedia('(prefers-color-scheme: dark)')
  isDark.addEventListener('change', () => {
    const chosen = localStorage.getItem('bugle-theme')
    if (chosen === null)
      document.documentElement.dataset['mantineColorScheme'] = isDark.matches ? 'dark' : 'light'
  })
}

/** Examples name the server as this browser does. */
function nameServer(): void {
  for (const place of document.querySelectorAll('.server-url')) place.textContent = location.origin
}

/** What can be scrolled must be reachable with the keyboard. */
function letCodeScroll(): void {
  const watch = new ResizeObserver((entries) => {
    for (const { target } of entries) {
      if (target.scrollWidth > target.clientWidth) target.setAttribute('tabindex', '0')
      else target.removeAttribute('tabindex')
    }
  })
  for (const block of document.querySelectorAll('pre')) watch.observe(block)
}

/** A link within the page leads away from the menu. */
function closeMenuOnUse(): void {
  const menu = document.getElementById('contents')
  menu?.addEventListener('click', ({ target }) => {
    if (target instanceof Element && target.closest('a') !== null && menu.matches(':popover-open'))
      menu.hidePopover()
  })
}
