import { type MantineColorScheme, Menu, useMantineColorScheme } from '@mantine/core'
import { useNavigate } from '@tanstack/react-router'
import { useSignOut } from '../../api/people/use-sign-out.ts'
import { Keys } from '../../keyboard/keys.tsx'
import { openHelp } from '../../keyboard/open-overlay.ts'
import { Icon } from '../../ui/icons/icons.tsx'
import type { MenuProps } from '../../ui/menu/menu-button.tsx'

const THEMES = [
  { value: 'auto', name: 'System theme', icon: 'screen' },
  { value: 'light', name: 'Light', icon: 'sun' },
  { value: 'dark', name: 'Dark', icon: 'moon' },
] as const

interface PersonOptionsProps extends MenuProps {
  readonly email: string
}

export function PersonOptions({ email, button, ...menu }: PersonOptionsProps) {
  const { colorScheme, setColorScheme } = useMantineColorScheme()
  const navigate = useNavigate()
  const signOut = useSignOut()
  return (
    <Menu {...menu} position="top-start" width={216}>
      <Menu.Target>{button}</Menu.Target>
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
          {THEMES.map(({ value, name, icon }) => (
            <Menu.RadioItem key={value} value={value} rightSection={<Icon name={icon} />}>
              {name}
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
