import { limitText, shareText } from '@bugle/contract'
import type { SdkSettingsPatch, SdkSettingsShown } from '@bugle/contract/settings'
import { Button, TextInput } from '@mantine/core'
import { useState } from 'react'
import { useSettings } from '../../../api/settings.ts'
import { ChangeDialog } from '../change-dialog.tsx'
import classes from '../settings.module.css'

type Feature = SdkSettingsShown['features'][number]
type Limit = NonNullable<Feature['limit']>

interface FeatureLimitsProps {
  readonly projectId: string
  readonly settings: SdkSettingsShown
}

/** Who gets each feature. */
export function FeatureLimits({ projectId, settings }: FeatureLimitsProps) {
  const [edited, setEdited] = useState<string>()
  const feature = settings.features.find(({ name }) => name === edited)
  if (settings.features.length === 0) return null
  return (
    <>
      <h3 className={classes['subtitle']}>Who gets each feature</h3>
      <ul className={classes['list']} aria-label="Who gets each feature">
        {settings.features.map(({ name, limit, reach }) => (
          <li key={name} className={classes['row']}>
            <div className={classes['words']}>
              <p>
                <bdi className={classes['name']}>{name}</bdi>
                {': '}
                <bdi>{(limit && limitText(limit)) || 'everyone'}</bdi>
              </p>
              {reach !== null && <p className={classes['hint']}>{reachText(reach)}</p>}
            </div>
            <Button
              size="compact-sm"
              variant="default"
              aria-label={`Limit ${name}`}
              onClick={() => setEdited(name)}
            >
              Limit…
            </Button>
          </li>
        ))}
      </ul>
      {feature !== undefined && (
        <LimitDialog
          projectId={projectId}
          settings={settings}
          feature={feature}
          onClose={() => setEdited(undefined)}
        />
      )}
    </>
  )
}

interface LimitDialogProps extends FeatureLimitsProps {
  readonly feature: Feature
  readonly onClose: () => void
}

/** Shows who the limit reaches before it is saved. */
function LimitDialog({ projectId, settings, feature, onClose }: LimitDialogProps) {
  const { previewSdk, updateSdk } = useSettings()
  const [preview, setPreview] = useState<string>()
  const { name, limit } = feature

  async function submit(fields: FormData): Promise<unknown> {
    const patch = patchOf(settings, name, limitIn(fields))
    if (preview !== undefined) return updateSdk(projectId, patch)
    const { features } = await previewSdk(projectId, patch)
    const limited = features.find((one) => one.name === name)
    setPreview(previewText(limited))
    return false
  }

  return (
    <ChangeDialog
      title={`Who gets ${name}?`}
      action={preview === undefined ? 'Preview' : 'Save limit'}
      revision={settings.revision}
      onSubmit={submit}
      onClose={onClose}
    >
      <div className={classes['form']} onInput={() => setPreview(undefined)}>
        <div className={classes['pair']}>
          <TextInput
            label="Oldest app version"
            description="For example 2.4. Leave empty for no lower limit."
            name="minAppVersion"
            defaultValue={limit?.minAppVersion ?? ''}
            data-autofocus
          />
          <TextInput
            label="Newest app version"
            description="Leave empty for no upper limit."
            name="maxAppVersion"
            defaultValue={limit?.maxAppVersion ?? ''}
          />
        </div>
        <TextInput
          label="Platforms"
          description="Separated by commas, as in ios, android. Empty: all."
          name="platforms"
          defaultValue={limit?.platforms?.join(', ') ?? ''}
        />
        <TextInput
          label="Share of installations"
          description="From 0 to 1. An installation stays in its share."
          name="share"
          inputMode="decimal"
          defaultValue={String(limit?.share ?? 1)}
          required
          withAsterisk={false}
        />
      </div>
      <p role="status">{preview}</p>
    </ChangeDialog>
  )
}

function limitIn(fields: FormData): Limit | null {
  const text = (name: string) => String(fields.get(name)).trim() || null
  const platforms = text('platforms')
    ?.split(',')
    .map((platform) => platform.trim())
    .filter((platform) => platform !== '')
  const limit = {
    minAppVersion: text('minAppVersion'),
    maxAppVersion: text('maxAppVersion'),
    platforms: platforms ?? null,
    share: Number(fields.get('share')),
  }
  const { minAppVersion, maxAppVersion, share } = limit
  const isForEveryone = !minAppVersion && !maxAppVersion && !limit.platforms && share === 1
  return isForEveryone ? null : limit
}

function patchOf(settings: SdkSettingsShown, changed: string, limit: Limit | null): SdkSettingsPatch {
  const features = settings.features.map(({ name, value }) => ({
    ...{ name, value },
    ...(name === changed && { limit }),
  }))
  return { revision: settings.revision, features }
}

function previewText(feature: Feature | undefined): string {
  if (!feature?.limit || feature.reach === null) return 'Everyone gets it.'
  const { share } = feature.limit
  return `${reachText(feature.reach)} ${share === 1 ? 'All' : shareText(share)} of their installations get it.`
}

function reachText({ reached, issues, days }: NonNullable<Feature['reach']>): string {
  return `${reached} of ${issues} issues in the last ${days} days came from such apps.`
}
