import classes from './plain-text.module.css'
import { splitLinks } from './split-links.ts'

/** Reported text, shown literally, with links that open in a new tab. */
export function PlainText({ text }: { readonly text: string }) {
  return (
    <div className={classes['text']} dir="auto">
      {splitLinks(text).map(({ text: piece, href }, index) =>
        href === undefined ? (
          piece
        ) : (
          // biome-ignore lint/suspicious/noArrayIndexKey: the pieces of a text never change their order
          <a key={index} href={href} target="_blank" rel="noopener noreferrer" dir="ltr">
            {piece}
          </a>
        ),
      )}
    </div>
  )
}
