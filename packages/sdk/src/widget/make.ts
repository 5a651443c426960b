/** Creates an element. Node by node: a page with Trusted Types allows no markup from text. */
export function make<K extends keyof HTMLElementTagNameMap>(
  tag: K,
  properties: Partial<HTMLElementTagNameMap[K]>,
  ...children: (Node | string)[]
): HTMLElementTagNameMap[K] {
  const element = Object.assign(document.createElement(tag), properties)
  element.append(...children)
  return element
}

/** Returns a function that adds a style to a shadow root, unless the root already has it. */
export function makeStyle(text: string): (root: ShadowRoot) => void {
  const styled = new WeakSet<ShadowRoot>()
  return (root) => {
    if (styled.has(root)) return
    styled.add(root)
    const style = new CSSStyleSheet()
    style.replaceSync(text)
    root.adoptedStyleSheets = [...root.adoptedStyleSheets, style]
  }
}
