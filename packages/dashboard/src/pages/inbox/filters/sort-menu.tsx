import { Button } from '@mantine/core'
import { useState } from 'react'
import { Icon } from '../../../ui/icons/icons.tsx'
import { MenuButton } from '../../../ui/menu/menu-button.tsx'
import { SORT_NAMES } from '../../../ui/words.ts'
import classes from './sort-menu.module.css'
import type { SortOptionsProps } from './sort-options.tsx'

const loadOptions = () => import('./sort-options.tsx').then(({ SortOptions }) => SortOptions)

/** The order of the list. */
export function SortMenu(props: SortOptionsProps) {
  const { sort } = props
  const [isOpen, setOpen] = useState(false)
  return (
    <MenuButton
      opens="menu"
      isOpen={isOpen}
      onOpen={setOpen}
      load={loadOptions}
      options={props}
      button={
        <Button
          variant="default"
          size="xs"
          className={classes['button'] ?? ''}
          leftSection={<Icon name="sort" />}
          aria-label={`Sort: ${SORT_NAMES[sort]}`}
        >
          <span className={classes['name']}>{SORT_NAMES[sort]}</span>
        </Button>
      }
    />
  )
}
