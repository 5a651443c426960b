/** The texts of the editor. */
export interface EditorMessages {
  readonly heading: string
  readonly tools: string
  readonly arrow: string
  readonly box: string
  readonly pen: string
  readonly text: string
  readonly blackout: string
  readonly crop: string
  readonly undo: string
  readonly cancel: string
  readonly done: string
  /** How to draw with the keyboard. */
  readonly canvas: string
}

export const ENGLISH: EditorMessages = {
  heading: 'Edit image',
  tools: 'Tools',
  arrow: 'Arrow',
  box: 'Box',
  pen: 'Pen',
  text: 'Text',
  blackout: 'Black out',
  crop: 'Crop',
  undo: 'Undo',
  cancel: 'Cancel',
  done: 'Done',
  canvas: 'Image. The arrow keys move the pointer; the space bar starts and ends a mark.',
}
