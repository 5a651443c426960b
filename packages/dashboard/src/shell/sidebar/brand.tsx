import { Link } from '@tanstack/react-router'
import icon from '../../theme/icon.svg'
import classes from './brand.module.css'

export function Brand() {
  return (
    <Link to="/" className={classes['brand']} preload={false}>
      <img src={icon} alt="" width={22} height={22} />
      Bugle
    </Link>
  )
}
