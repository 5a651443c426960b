import { type MantineColorScheme, Menu, UnstyledButton, useMantineColorScheme } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { sessionQuery } from '../../api/session.ts'
import { useSignOut } from '../../api/use-sign-out.ts'
import { Keys } from '../../keyboard/keys.tsx'
import { openHelp } from '../../keyboard/open-overlay.ts'
import { Icon } from '../../ui/icons/icons.tsx'
import classes from './person-menu.module.css'

const THEMES = [
  { value: 'auto', name: 'System theme', icon: 'screen' },
  { value: 'light', name: 'Light', icon: 'sun' },
  { value: 'dark', name: 'Dark', icon: 'moon' },
] as const

/** The person who is signed in, the theme, and signing out. */
export function PersonMenu() {
  const { data: session } = useQuery(sessionQuery)
  const { colorScheme, setColorScheme } = useMantineColorScheme()
  const navigate = useNavigate()
  const signOut = useSignOut()
  if (session === null || session === undefined) return null
  const { name, email } = session.user
  return (
    <Menu position="top-start" width={216}>
      <Menu.Target>
        <UnstyledButton className={classes['button'] ?? ''} aria-label={`${name}: account and settings`}>
          <span className={classes['picture']} data-letter={[...name][0]} />
          <span className={classes['name']}>{name}</span>
        </UnstyledButton>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Label>{email}</Menu.Label>
        <Menu.Item leftSection={<Icon name="person" />} onClick={() => navigate({ to: '/account' })}>
          Profile
        </Menu.Item>
        <Menu.Item
          leftSection={<Icon name="keyboard" />}
          rightSection={<Keys keys="?" />}
          onClick={() => openHelp()}
        >
          Keyboard shortcuts
        </Menu.Item>
        <Menu.Divider />
        <Menu.RadioGroup
          value={colorScheme}
          onChange={(value) => setColorScheme(value as MantineColorScheme)}
        >
          {THEMES.map(({ value, name: label, icon }) => (
            <Menu.RadioItem key={value} value={value} rightSection={<Icon name={icon} />}>
              {label}
            </Menu.RadioItem>
          ))}
        </Menu.RadioGroup>
        <Menu.Divider />
        <Menu.Item leftSection={<Icon name="signOut" />} onClick={() => void signOut()}>
          Sign out
        </Menu.Item>
      </Menu.Dropdown>
    </Menu>
  )
}
