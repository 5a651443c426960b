import { type LinkProps, useLinkProps } from '@tanstack/react-router'
import type { ReactNode } from 'react'

interface SideLinkProps extends Pick<LinkProps, 'to' | 'params' | 'search'> {
  readonly isCurrent: boolean
  readonly className: string | undefined
  readonly children: ReactNode
}

/** A link of the sidebar. The current one is decided for all links together, because the router would mark every link that matches. */
export function SideLink({ isCurrent, className, children, ...address }: SideLinkProps) {
  const { 'aria-current': _, 'data-status': __, ...props } = useLinkProps(address) as LinkAttributes
  return (
    <a {...props} className={className} aria-current={isCurrent ? 'page' : undefined}>
      {children}
    </a>
  )
}

type LinkAttributes = React.ComponentProps<'a'> & { readonly 'data-status'?: string }
