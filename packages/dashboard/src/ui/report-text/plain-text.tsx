import classes from './plain-text.module.css'
import { splitLinks } from './split-links.ts'

/** What a stranger wrote, as they wrote it: text that cannot become anything else, with links that open elsewhere. */
export function PlainText({ text }: { readonly text: string }) {
  return (
    <div className={classes['text']} dir="auto">
      {splitLinks(text).map(({ text: piece, href }, index) =>
        href === undefined ? (
          piece
        ) : (
          // biome-ignore lint/suspicious/noArrayIndexKey: the pieces of a text never change places
          <a key={index} href={href} target="_blank" rel="noopener noreferrer" dir="ltr">
            {piece}
          </a>
        ),
      )}
    </div>
  )
}
