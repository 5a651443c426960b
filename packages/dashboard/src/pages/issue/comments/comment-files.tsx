import type { CommentAttachment } from '@bugle/contract'
import { FileStrip } from '../files/file-strip.tsx'
import { useFileViewer } from '../files/use-file-viewer.tsx'

/** The files of a comment, with previews. */
export function CommentFiles({ files }: { readonly files: readonly CommentAttachment[] }) {
  const { view, viewer } = useFileViewer(files)
  return (
    <>
      <FileStrip files={files} label="Files of the comment" onView={view} />
      {viewer}
    </>
  )
}
