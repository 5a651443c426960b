import { Menu, UnstyledButton } from '@mantine/core'
import type { ReactNode } from 'react'
import { Icon } from '../icons/icons.tsx'
import classes from './choice-menu.module.css'

interface ChoiceMenuProps<T extends string> {
  readonly label: string
  readonly options: readonly { readonly value: T; readonly name: string; readonly icon?: ReactNode }[]
  readonly chosen: T
  /** For people without permission to change it. */
  readonly isReadOnly: boolean
  readonly onChoose: (value: T) => void
}

/** One of a few values, shown as a chip that opens a menu. */
export function ChoiceMenu<T extends string>({ label, options, chosen, ...props }: ChoiceMenuProps<T>) {
  const current = options.find(({ value }) => value === chosen)
  if (props.isReadOnly) {
    return (
      <span className={classes['chip']}>
        {current?.icon}
        <span className="visually-hidden">{label}: </span>
        {current?.name}
      </span>
    )
  }
  return (
    <Menu position="bottom-start" width={190}>
      <Menu.Target>
        <UnstyledButton className={classes['chip']} data-opens aria-label={`${label}: ${current?.name}`}>
          {current?.icon}
          {current?.name}
          <Icon name="chevron" size={12} />
        </UnstyledButton>
      </Menu.Target>
      <Menu.Dropdown>
        {options.map(({ value, name, icon }) => (
          <Menu.RadioItem
            key={value}
            value={value}
            checked={value === chosen}
            checkIcon={<Icon name="check" size={14} />}
            closeMenuOnClick
            onChange={() => props.onChoose(value)}
          >
            <span className={classes['option']}>
              {icon}
              {name}
            </span>
          </Menu.RadioItem>
        ))}
      </Menu.Dropdown>
    </Menu>
  )
}
