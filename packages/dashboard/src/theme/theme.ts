import { createTheme, type MantineColorScheme, type MantineColorSchemeManager } from '@mantine/core'

const STORED_UNDER = 'bugle-theme'

/** Colours and sizes are in `tokens.css`; here is only what Mantine decides in JavaScript. */
export const theme = createTheme({
  primaryColor: 'indigo',
  respectReducedMotion: true,
  cursorType: 'pointer',
  defaultRadius: 'md',
  components: {
    // Locking the scroll position needs a style element, which the policy forbids; the page itself never scrolls.
    ModalRoot: { defaultProps: { lockScroll: false, transitionProps: { duration: 0 } } },
    DrawerRoot: { defaultProps: { lockScroll: false, transitionProps: { duration: 0 } } },
    ActionIcon: { defaultProps: { color: 'gray', variant: 'subtle' } },
    CloseButton: { defaultProps: { color: 'gray' } },
    // Rendered where they are opened, not at the end of the page, so that they stay within a landmark and in tab order.
    Tooltip: { defaultProps: { withinPortal: false, openDelay: 400, transitionProps: { duration: 80 } } },
    Popover: { defaultProps: { withinPortal: false, transitionProps: { duration: 80 } } },
    Menu: {
      defaultProps: {
        withinPortal: false,
        withInitialFocusPlaceholder: false,
        transitionProps: { duration: 80 },
      },
    },
  },
})

/** Stores the choice where the first-paint script reads it; `auto` is not stored. */
export const themeChoice: MantineColorSchemeManager = {
  get: (fallback) => read() ?? fallback,
  set: (choice) =>
    choice === 'auto' ? localStorage.removeItem(STORED_UNDER) : localStorage.setItem(STORED_UNDER, choice),
  subscribe: () => undefined,
  unsubscribe: () => undefined,
  clear: () => localStorage.removeItem(STORED_UNDER),
}

function read(): MantineColorScheme | undefined {
  const stored = localStorage.getItem(STORED_UNDER)
  return stored === 'light' || stored === 'dark' ? stored : undefined
}
