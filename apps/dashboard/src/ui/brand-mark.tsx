import classes from './brand-mark.module.css'

/** The product's mark, as large as CSS says: a causeway over two arches. */
export function BrandMark({ size }: { size: string }) {
  return (
    <svg viewBox="0 0 32 32" width={size} height={size} aria-hidden className={classes['mark']}>
      <path d="M2 22h28M5 22c0-7 3.500-11 7.500-11S20 15 20 22m-1.700-6.500C19.600 13.900 21.300 13 23 13c3 0 4.500 3.500 4.500 9" />
    </svg>
  )
}
