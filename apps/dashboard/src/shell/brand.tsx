import { PRODUCT_NAME } from '../lib/product.ts'
import { BrandMark } from '../ui/brand-mark.tsx'
import classes from './brand.module.css'

/** The mark and the name. */
export function Brand() {
  return (
    <span className={classes['brand']}>
      <BrandMark size="1.75em" />
      {PRODUCT_NAME}
    </span>
  )
}
