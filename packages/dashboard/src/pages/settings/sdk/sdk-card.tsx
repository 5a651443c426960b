import type { ProjectSettings, SdkSettingsPatch, SdkSettingsShown } from '@bugle/contract/settings'
import { Button, Checkbox, Skeleton, Textarea, TextInput } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { sdkSettingsQuery, useSettings } from '../../../api/settings.ts'
import { Card } from '../../../ui/card.tsx'
import { explainChange } from '../../../ui/feedback/explain-change.ts'
import { InlineFailure } from '../../../ui/feedback/inline-failure.tsx'
import { showToast } from '../../../ui/feedback/toasts.tsx'
import { ChangeDialog, useChange } from '../change-dialog.tsx'
import { Conflict } from '../conflict.tsx'
import classes from '../settings.module.css'
import { FeatureLimits } from './feature-limits.tsx'
import { featuresIn, featuresText } from './feature-lines.ts'

/** The SDK configuration of a project. */
export function SdkCard({ project }: { readonly project: ProjectSettings }) {
  const { data: settings, error, refetch } = useQuery(sdkSettingsQuery(project.id))
  return (
    <Card title="SDK" hint="What the SDKs in your apps fetch. They apply it within the refresh time.">
      {settings === undefined && error !== null && (
        <InlineFailure error={error} onRetry={() => void refetch()} />
      )}
      {settings === undefined && error === null && <Skeleton height={160} />}
      {settings !== undefined && (
        <>
          <SdkForm key={contentsOf(settings)} projectId={project.id} settings={settings} />
          <FeatureLimits projectId={project.id} settings={settings} />
        </>
      )}
    </Card>
  )
}

/** Without limits, which have their own dialog: saving one leaves the form as it is. */
function contentsOf({ revision: _, impact: __, features, ...others }: SdkSettingsShown): string {
  return JSON.stringify([featuresText(features), others])
}

interface SdkFormProps {
  readonly projectId: string
  readonly settings: SdkSettingsShown
}

function SdkForm({ projectId, settings }: SdkFormProps) {
  const { previewSdk, updateSdk } = useSettings()
  const [excluding, setExcluding] = useState<{ patch: SdkSettingsPatch; text: string }>()

  async function save(patch: SdkSettingsPatch): Promise<void> {
    await updateSdk(projectId, patch)
    showToast({ tone: 'plain', text: 'Saved.' })
  }

  async function submitFields(fields: FormData): Promise<void> {
    const patch = patchIn(fields, settings)
    const { impact } = await previewSdk(projectId, patch)
    if (impact === null || impact.cutOff === 0) return save(patch)
    const { cutOff, reports, days } = impact
    const text = `${cutOff} of ${reports} reports in the last ${days} days came from older SDKs, which no longer send.`
    setExcluding({ patch, text })
  }

  const { error, isBusy, submit } = useChange(submitFields, () => undefined)
  return (
    <>
      <form className={classes['form']} onSubmit={submit}>
        <Checkbox name="enabled" label="SDKs send reports" defaultChecked={settings.enabled} />
        <Checkbox name="crash" label="SDKs capture crashes" defaultChecked={settings.crash.enabled} />
        <div className={classes['pair']}>
          <TextInput
            label="Share of crashes to send"
            description="From 0 to 1."
            name="sampleRate"
            inputMode="decimal"
            defaultValue={String(settings.crash.sampleRate)}
            required
            withAsterisk={false}
          />
          <TextInput
            label="Refresh time, in seconds"
            description="How often SDKs fetch this."
            name="refreshAfterSeconds"
            inputMode="numeric"
            defaultValue={String(settings.refreshAfterSeconds)}
            required
            withAsterisk={false}
          />
        </div>
        <TextInput
          label="Oldest SDK version that sends"
          description="Such as 0.1.0. Empty: all versions."
          name="minSdkVersion"
          defaultValue={settings.minSdkVersion ?? ''}
        />
        <Textarea
          label="Features"
          description="One per line, as name=value. true, false and numbers are not texts."
          name="features"
          defaultValue={featuresText(settings.features)}
          rows={4}
        />
        <Conflict error={error} />
        <p role="alert" className={classes['error']}>
          {error !== null && explainChange(error)}
        </p>
        <div className={classes['buttons']}>
          <Button type="submit" loading={isBusy}>
            Change SDK configuration
          </Button>
        </div>
      </form>
      {excluding !== undefined && (
        <ChangeDialog
          title="Exclude older SDKs?"
          action="Save"
          onSubmit={() => save(excluding.patch)}
          onClose={() => setExcluding(undefined)}
        >
          <p>{excluding.text}</p>
        </ChangeDialog>
      )}
    </>
  )
}

function patchIn(fields: FormData, { revision }: SdkSettingsShown): SdkSettingsPatch {
  return {
    revision,
    enabled: fields.get('enabled') !== null,
    minSdkVersion: String(fields.get('minSdkVersion')).trim() || null,
    features: featuresIn(String(fields.get('features'))),
    crash: { enabled: fields.get('crash') !== null, sampleRate: Number(fields.get('sampleRate')) },
    refreshAfterSeconds: Number(fields.get('refreshAfterSeconds')),
  }
}
