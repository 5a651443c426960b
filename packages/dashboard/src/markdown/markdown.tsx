import { Link } from '@tanstack/react-router'
import type { Token, Tokens } from 'marked'
import { Fragment, type ReactNode, useMemo } from 'react'
import { useProject } from '../shell/current-project.ts'
import { issueAddress } from '../shell/issue-address.ts'
import { lexMarkdown } from './lex-markdown.ts'
import classes from './markdown.module.css'
import { safeHref } from './safe-href.ts'
import { splitReferences } from './split-references.ts'

export interface MarkdownProps {
  readonly text: string
  /** The people whom `@name` may mention. */
  readonly names: readonly string[]
}

/** What the rendering of a text needs at every level. */
interface Context {
  readonly names: readonly string[]
  readonly slug: string
  /** Whether it is inside a link, which cannot contain another one. */
  readonly isLinked: boolean
}

/**
 * A text in a subset of Markdown: emphasis, code, lists, quotations and links, `#12` and `@name`. It becomes React
 * elements, never HTML. Load it with `lazy`, because it includes the parser.
 */
export function Markdown({ text, names }: MarkdownProps) {
  const { slug } = useProject()
  const blocks = useMemo(() => lexMarkdown(text), [text])
  return (
    <div className={classes['markdown']}>
      {renderAll(blocks, renderBlock, { names, slug, isLinked: false })}
    </div>
  )
}

type Render = (token: Token, context: Context) => ReactNode

function renderAll(tokens: readonly Token[] | undefined, render: Render, context: Context): ReactNode {
  return tokens?.map((token, index) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: the parts of a text never change their order
    <Fragment key={index}>{render(token, context)}</Fragment>
  ))
}

function renderBlock(token: Token, context: Context): ReactNode {
  const { type, raw } = token
  const inline = () => renderAll((token as Tokens.Generic).tokens, renderInline, context)
  if (type === 'space') return null
  if (type === 'paragraph') return <p dir="auto">{inline()}</p>
  // Not a heading of the page.
  if (type === 'heading')
    return (
      <p dir="auto">
        <strong>{inline()}</strong>
      </p>
    )
  if (type === 'blockquote') {
    const inside = renderAll((token as Tokens.Blockquote).tokens, renderBlock, context)
    return <blockquote dir="auto">{inside}</blockquote>
  }
  if (type === 'list') return <List list={token as Tokens.List} context={context} />
  if (type === 'code') return <Code text={(token as Tokens.Code).text} />
  if (type === 'hr') return <hr />
  if (type === 'checkbox') return (token as Tokens.Checkbox).checked ? '☑ ' : '☐ '
  if (type === 'text') return inline() ?? raw
  return <p dir="auto">{raw}</p>
}

function List({ list, context }: { readonly list: Tokens.List; readonly context: Context }) {
  const items = list.items.map((item, index) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: the parts of a text never change their order
    <li key={index} dir="auto">
      {renderAll(item.tokens, renderBlock, context)}
    </li>
  ))
  return list.ordered ? <ol start={list.start === '' ? 1 : list.start}>{items}</ol> : <ul>{items}</ul>
}

function Code({ text }: { readonly text: string }) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls sideways, also with the keyboard
    <pre tabIndex={0} dir="ltr">
      <code>{text}</code>
    </pre>
  )
}

function renderInline(token: Token, context: Context): ReactNode {
  const { type, raw } = token
  const inside = () => renderAll((token as Tokens.Generic).tokens, renderInline, context)
  if (type === 'strong') return <strong>{inside()}</strong>
  if (type === 'em') return <em>{inside()}</em>
  if (type === 'del') return <del>{inside()}</del>
  if (type === 'br') return <br />
  if (type === 'codespan') return <code>{(token as Tokens.Codespan).text}</code>
  if (type === 'escape') return (token as Tokens.Escape).text
  if (type === 'link' || type === 'image') return renderLink(token as Tokens.Link | Tokens.Image, context)
  if (type === 'text') return renderText((token as Tokens.Text).text, context)
  return raw
}

/** An image is a link: the page loads nothing from other servers. */
function renderLink(token: Tokens.Link | Tokens.Image, context: Context): ReactNode {
  const href = context.isLinked ? undefined : safeHref(token.href)
  if (href === undefined) return token.raw
  const content = renderAll(token.tokens, renderInline, { ...context, isLinked: true })
  return (
    <a href={href} title={href} target="_blank" rel="noopener noreferrer nofollow">
      <bdi>{token.text === '' ? href : content}</bdi>
    </a>
  )
}

function renderText(text: string, { names, slug, isLinked }: Context): ReactNode {
  if (isLinked) return text
  return splitReferences(text, names).map((piece, index) => {
    if (piece.kind === 'text') return piece.text
    return piece.kind === 'issue' ? (
      // biome-ignore lint/suspicious/noArrayIndexKey: the parts of a text never change their order
      <Link key={index} {...issueAddress(slug, piece)} preload={false}>
        {piece.text}
      </Link>
    ) : (
      // biome-ignore lint/suspicious/noArrayIndexKey: the parts of a text never change their order
      <bdi key={index} className={classes['person']}>
        {piece.text}
      </bdi>
    )
  })
}
