import { type IssueListItem, SECURITY_CATEGORY } from '@bugle/contract'

/** Why these issues cannot be merged into this one; `undefined` if they can. */
export function whyNotInto(target: IssueListItem, issues: readonly IssueListItem[]): string | undefined {
  const name = `#${target.issueNumber}`
  const [first, ...others] = issues
  const isSingle = others.length === 0
  if (isSingle && first?.id === target.id) return `${name} is this issue.`
  if (isSingle && first?.duplicateOf === target.id) return `It is already a duplicate of ${name}.`
  if (issues.some(({ id }) => id === target.duplicateOf))
    return `${name} is a duplicate of ${isSingle ? 'this issue' : 'a selected issue'}. Unmerge it first.`
  if (issues.some(({ category }) => isHidden(category) !== isHidden(target.category)))
    return isHidden(target.category)
      ? `${name} is a security issue: only other security issues can be merged into it.`
      : `${name} is not a security issue: security issues can only be merged with each other.`
  return undefined
}

function isHidden(category: IssueListItem['category']): boolean {
  return category === SECURITY_CATEGORY
}
