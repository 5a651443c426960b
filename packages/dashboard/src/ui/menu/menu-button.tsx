import {
  type ComponentType,
  cloneElement,
  type HTMLAttributes,
  type ReactElement,
  type Ref,
  useEffect,
  useRef,
  useState,
} from 'react'
import { showToast } from '../feedback/toasts.tsx'
import { loadOnce } from '../load-code.ts'

/** What a loaded menu is given. It renders the button itself, as its target. */
export interface MenuProps {
  readonly button: ReactElement
  readonly opened: boolean
  readonly onChange: (isOpen: boolean) => void
}

type ButtonProps = HTMLAttributes<HTMLElement> & { readonly ref?: Ref<HTMLButtonElement> }

interface MenuButtonProps<Options extends object> {
  readonly button: ReactElement<ButtonProps>
  readonly opens: 'menu' | 'dialog'
  readonly isOpen: boolean
  readonly onOpen: (isOpen: boolean) => void
  /** Loads the menu. */
  readonly load: () => Promise<ComponentType<Options & MenuProps>>
  /** The other properties of the menu. */
  readonly options: Options
}

interface Loaded<Options> {
  readonly Menu: ComponentType<Options & MenuProps>
  /** The menu renders a new button, which takes over the focus of the one before. */
  readonly hadFocus: boolean
}

/** A button with a menu that is loaded when it is first opened: menus and their positioning would be a seventh of the first load. */
export function MenuButton<Options extends object>({
  button,
  opens,
  isOpen,
  onOpen,
  load,
  options,
}: MenuButtonProps<Options>) {
  const element = useRef<HTMLButtonElement>(null)
  const [loaded, setLoaded] = useState<Loaded<Options>>()
  const [isMounted, setMounted] = useState(false)
  const isAwaited = isOpen && loaded === undefined

  // biome-ignore lint/correctness/useExhaustiveDependencies: the menu is loaded once
  useEffect(() => {
    if (!isAwaited) return
    let isWanted = true
    loadOnce(load).then(
      (Menu) => {
        if (isWanted) setLoaded({ Menu, hadFocus: document.activeElement === element.current })
      },
      () => {
        if (!isWanted) return
        onOpen(false)
        showToast({ tone: 'danger', text: 'The menu could not be loaded. Try again, or reload the page.' })
      },
    )
    return () => {
      isWanted = false
    }
  }, [isAwaited])

  // It opens once its button is on the page: only then does it know where the focus returns to.
  useEffect(() => {
    if (loaded === undefined) return
    if (loaded.hadFocus) element.current?.focus()
    setMounted(true)
  }, [loaded])

  if (loaded === undefined) {
    const preload = () => void loadOnce(load).catch(() => {})
    return cloneElement(button, {
      ref: element,
      'aria-haspopup': opens,
      'aria-expanded': false,
      onClick: () => onOpen(!isOpen),
      onFocus: preload,
      onPointerEnter: preload,
    })
  }
  return (
    <loaded.Menu
      {...options}
      button={cloneElement(button, { ref: element })}
      opened={isOpen && isMounted}
      onChange={onOpen}
    />
  )
}
