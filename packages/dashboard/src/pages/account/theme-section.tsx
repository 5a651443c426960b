import { type MantineColorScheme, NativeSelect, useMantineColorScheme } from '@mantine/core'
import classes from './account-page.module.css'

const THEMES = [
  { value: 'auto', label: 'Like the system' },
  { value: 'light', label: 'Light' },
  { value: 'dark', label: 'Dark' },
] as const

/** Not radio buttons: their code would become a part of what every page loads. */
export function ThemeSection() {
  // Otherwise Mantine would insert a style element, which the content security policy refuses.
  const { colorScheme, setColorScheme } = useMantineColorScheme({ keepTransitions: true })
  return (
    <section className={classes['section']} aria-labelledby="account-theme">
      <h2 id="account-theme">Appearance</h2>
      <NativeSelect
        label="Theme in this browser"
        data={[...THEMES]}
        value={colorScheme}
        onChange={(event) => setColorScheme(event.currentTarget.value as MantineColorScheme)}
      />
    </section>
  )
}
