import { ISSUE_SORTS, type IssueSort } from '@bugle/contract'
import { Button, Menu } from '@mantine/core'
import { Icon } from '../../../ui/icons/icons.tsx'
import { SORT_NAMES } from '../../../ui/words.ts'
import classes from './sort-menu.module.css'

interface SortMenuProps {
  readonly sort: IssueSort
  readonly onSort: (sort: IssueSort) => void
}

/** The order of the list. */
export function SortMenu({ sort, onSort }: SortMenuProps) {
  return (
    <Menu position="bottom-end" width={190}>
      <Menu.Target>
        <Button
          variant="default"
          size="xs"
          className={classes['button'] ?? ''}
          leftSection={<Icon name="sort" />}
          aria-label={`Sort: ${SORT_NAMES[sort]}`}
        >
          <span className={classes['name']}>{SORT_NAMES[sort]}</span>
        </Button>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.RadioGroup value={sort} onChange={(value) => onSort(value as IssueSort)}>
          {ISSUE_SORTS.map((value) => (
            <Menu.RadioItem key={value} value={value} closeMenuOnClick>
              {SORT_NAMES[value]}
            </Menu.RadioItem>
          ))}
        </Menu.RadioGroup>
      </Menu.Dropdown>
    </Menu>
  )
}
