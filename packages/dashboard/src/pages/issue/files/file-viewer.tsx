import { ActionIcon, Button } from '@mantine/core'
import { type KeyboardEvent, useState } from 'react'
import { attachmentAddress } from '../../../api/issues/attachments.ts'
import { formatBytes } from '../../../ui/bytes.ts'
import { Dialog } from '../../../ui/dialogs/dialog.tsx'
import { Icon } from '../../../ui/icons/icons.tsx'
import classes from './file-viewer.module.css'
import type { ShownFile } from './shown-file.ts'

interface FileViewerProps {
  readonly files: readonly ShownFile[]
  /** Which of them. */
  readonly shown: number
  readonly onShow: (file: ShownFile) => void
  readonly onClose: () => void
}

/** Shows images and videos one at a time. Left and Right change the file, Z the zoom, D downloads it. */
export function FileViewer({ files, shown, onShow, onClose }: FileViewerProps) {
  const [zoomedId, setZoomedId] = useState<string>()
  const file = files[shown]
  if (file === undefined) return null
  const { id, name, size } = file
  const address = attachmentAddress(id)
  const isImage = file.contentType?.startsWith('image/') === true
  const isZoomed = isImage && zoomedId === id
  const toggleZoom = () => setZoomedId(isZoomed ? undefined : id)

  function go(step: number): void {
    const next = files[shown + step]
    if (next !== undefined) onShow(next)
  }

  function press(event: KeyboardEvent): void {
    // The keys of a video belong to its controls.
    if (event.target instanceof HTMLVideoElement || event.ctrlKey || event.metaKey || event.altKey) return
    if (event.key === 'ArrowLeft') go(-1)
    else if (event.key === 'ArrowRight') go(1)
    else if (event.key === 'z' && isImage) toggleZoom()
    else if (event.key === 'd') document.getElementById(DOWNLOAD_ID)?.click()
    else return
    event.preventDefault()
  }

  return (
    <Dialog title={name} onClose={onClose} size="min(1200px, 92vw)">
      {/* biome-ignore lint/a11y/noStaticElementInteractions: the buttons inside do the same as the keys. */}
      <div className={classes['viewer']} onKeyDown={press}>
        <div className={isZoomed ? classes['zoomed'] : classes['fitted']}>
          {isImage ? (
            <img src={address} alt={name} />
          ) : (
            // biome-ignore lint/a11y/useMediaCaption: files of reports have no captions.
            <video key={id} src={address} controls aria-label={name} />
          )}
        </div>
        <div className={classes['bar']}>
          <ActionIcon
            variant="default"
            aria-label="Previous file"
            disabled={shown === 0}
            onClick={() => go(-1)}
          >
            <Icon name="left" />
          </ActionIcon>
          <ActionIcon
            variant="default"
            aria-label="Next file"
            disabled={shown === files.length - 1}
            onClick={() => go(1)}
          >
            <Icon name="right" />
          </ActionIcon>
          <p className={classes['about']} aria-live="polite">
            {shown + 1} of {files.length} · {formatBytes(size)}
            {file.reportNumber !== undefined && ` · Report ${file.reportNumber}`}
          </p>
          {isImage && (
            <Button size="compact-md" variant="default" onClick={toggleZoom} data-autofocus>
              {isZoomed ? 'Fit to window' : 'Actual size'}
            </Button>
          )}
          <Button
            component="a"
            id={DOWNLOAD_ID}
            size="compact-md"
            variant="default"
            href={address}
            download={name}
          >
            Download
          </Button>
        </div>
      </div>
    </Dialog>
  )
}

const DOWNLOAD_ID = 'download-file'
