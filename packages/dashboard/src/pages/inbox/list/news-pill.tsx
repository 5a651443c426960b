import { MAX_PAGE_SIZE } from '@bugle/contract'
import { Keys } from '../../../keyboard/keys.tsx'
import { Icon } from '../../../ui/icons/icons.tsx'
import classes from './news-pill.module.css'

/** Shows the number of new issues, and loads them on request. */
export function NewsPill({ count, onShow }: { readonly count: number; readonly onShow: () => void }) {
  if (count === 0) return null
  return (
    <button type="button" className={classes['pill']} onClick={onShow}>
      <Icon name="up" size={14} />
      {count >= MAX_PAGE_SIZE ? `${MAX_PAGE_SIZE - 1}+` : count} new
      <Keys keys="." />
    </button>
  )
}
