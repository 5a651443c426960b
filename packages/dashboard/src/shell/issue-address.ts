/** The address of an issue's page. */
export function issueAddress(slug: string, { issueNumber }: { readonly issueNumber: number }) {
  return {
    to: '/projects/$slug/issues/$issueNumber',
    params: { slug, issueNumber: `${issueNumber}` },
  } as const
}
