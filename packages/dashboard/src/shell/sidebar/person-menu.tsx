import { UnstyledButton } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { sessionQuery } from '../../api/people/session.ts'
import { MenuButton } from '../../ui/menu/menu-button.tsx'
import classes from './person-menu.module.css'

const loadOptions = () => import('./person-options.tsx').then(({ PersonOptions }) => PersonOptions)

/** The person who is signed in, the theme, and signing out. */
export function PersonMenu() {
  const { data: session } = useQuery(sessionQuery)
  const [isOpen, setOpen] = useState(false)
  if (session === null || session === undefined) return null
  const { name, email } = session.user
  return (
    <MenuButton
      opens="menu"
      isOpen={isOpen}
      onOpen={setOpen}
      load={loadOptions}
      options={{ email }}
      button={
        <UnstyledButton className={classes['button'] ?? ''} aria-label={`${name}: account and settings`}>
          <span className={classes['picture']} data-letter={[...name][0]} />
          <span className={classes['name']}>{name}</span>
        </UnstyledButton>
      }
    />
  )
}
