/** A child of a list, which is drawn again only if its content has changed. */
export interface Child {
  /** Identifies it within its list. */
  readonly _key: string
  /** The same as long as it looks the same. */
  readonly _content: string
  _make(): HTMLElement
}

const drawn = new WeakMap<Element, Child>()

/**
 * Makes these the children of a list. What has not changed is not touched: it keeps the focus, and screen readers do not
 * read it again.
 */
export function syncChildren(list: HTMLElement, children: readonly Child[]): void {
  const earlier = new Map([...list.children].map((element) => [drawn.get(element)?._key, element]))
  const elements = children.map((child) => {
    const known = earlier.get(child._key)
    if (known && drawn.get(known)?._content === child._content) return known
    const element = child._make()
    drawn.set(element, child)
    if (known?.matches(':focus-within')) queueMicrotask(() => element.querySelector('button')?.focus())
    return element
  })
  for (const element of [...list.children]) if (!elements.includes(element)) element.remove()
  for (const [index, element] of elements.entries())
    if (list.children[index] !== element) list.insertBefore(element, list.children[index] as Element)
}
