import type { View } from '@bugle/contract'

interface Place {
  readonly pathname: string
  readonly search: object
}

/** The one item of the sidebar that the page belongs to: a saved view if the list matches it exactly, otherwise a page of the project. */
export function currentItem(
  { pathname, search }: Place,
  slug: string,
  views: readonly Pick<View, 'id' | 'query'>[],
): string {
  const [, , ownSlug = '', page = '', ...rest] = pathname.split('/')
  if (ownSlug !== slug) return ''
  const view =
    page === 'issues' && rest.length === 0 ? views.find(({ query }) => isSame(query, search)) : undefined
  return view?.id ?? page
}

function isSame(query: string, search: object): boolean {
  return sorted(new URLSearchParams(query)) === sorted(new URLSearchParams(Object.entries(search)))
}

function sorted(params: URLSearchParams): string {
  params.sort()
  return params.toString()
}
