import { Page } from '../../ui/page.tsx'
import { KeysCard } from './keys/keys-card.tsx'
import classes from './settings.module.css'

/** The keys that belong to no project. */
export function InstanceKeysPage() {
  return (
    <Page title="Keys for all projects">
      <div className={classes['cards']}>
        <KeysCard project={null} />
      </div>
    </Page>
  )
}
