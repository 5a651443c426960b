/** Where the page of an issue is. */
export function issueAddress(slug: string, { issueNumber }: { readonly issueNumber: number }) {
  return {
    to: '/projects/$slug/issues/$issueNumber',
    params: { slug, issueNumber: `${issueNumber}` },
  } as const
}
