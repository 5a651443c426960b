import { ISSUE_SORTS, type IssueSort } from '@bugle/contract'
import { Menu } from '@mantine/core'
import type { MenuProps } from '../../../ui/menu/menu-button.tsx'
import { SORT_NAMES } from '../../../ui/words.ts'

export interface SortOptionsProps {
  /** All orders, unless the list has only some of them. */
  readonly sorts?: readonly IssueSort[]
  readonly sort: IssueSort
  readonly onSort: (sort: IssueSort) => void
}

export function SortOptions({
  sorts = ISSUE_SORTS,
  sort,
  onSort,
  button,
  ...menu
}: SortOptionsProps & MenuProps) {
  return (
    <Menu {...menu} position="bottom-end" width={190}>
      <Menu.Target>{button}</Menu.Target>
      <Menu.Dropdown>
        <Menu.RadioGroup value={sort} onChange={(value) => onSort(value as IssueSort)}>
          {sorts.map((value) => (
            <Menu.RadioItem key={value} value={value} closeMenuOnClick>
              {SORT_NAMES[value]}
            </Menu.RadioItem>
          ))}
        </Menu.RadioGroup>
      </Menu.Dropdown>
    </Menu>
  )
}
