import { Switch } from '@mantine/core'
import { Dialog } from '../ui/dialogs/dialog.tsx'
import { SECTIONS } from './command.ts'
import classes from './help-dialog.module.css'
import { Keys } from './keys.tsx'
import { closeOverlay } from './open-overlay.ts'
import { listCommands } from './registry.ts'
import { switchSingleKeys, useSingleKeys } from './single-keys.ts'

/** Every key that works on this page. */
export function HelpDialog() {
  return (
    <Dialog title="Keyboard shortcuts" onClose={closeOverlay} size={920}>
      <Help />
    </Dialog>
  )
}

function Help() {
  const isOn = useSingleKeys()
  const commands = listCommands().filter(({ keys }) => keys !== undefined)
  return (
    <>
      <Switch
        label="Single-key shortcuts"
        description="Turn them off if you use voice input or press keys by accident. ⌘K and Ctrl+K always work."
        checked={isOn}
        onChange={(event) => switchSingleKeys(event.currentTarget.checked)}
      />
      <div className={classes['sections']}>
        {SECTIONS.map((section) => {
          const own = commands.filter((command) => command.section === section)
          if (own.length === 0) return null
          return (
            <section key={section} className={classes['section']} aria-labelledby={`keys-${section}`}>
              <h3 id={`keys-${section}`} className={classes['title']}>
                {section}
              </h3>
              <ul className={classes['list']}>
                {own.map(({ id, title, keys }) => (
                  <li key={id} className={classes['row']}>
                    <span>{title}</span>
                    <Keys keys={keys} />
                  </li>
                ))}
              </ul>
            </section>
          )
        })}
      </div>
    </>
  )
}
