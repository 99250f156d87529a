import { IconChevronRight } from '@tabler/icons-react'
import { useEffect, useState, type RefObject } from 'react'
import { useTranslation } from 'react-i18next'
import classes from './data-table.module.css'

/** Of the width in sight, how much one press goes on. */
const STEP = 0.7

interface Props {
  scroll: RefObject<HTMLDivElement | null>
  /** Changes with what may make the table wider or narrower. */
  shape: string
}

/** Says at the edge of a table how many columns are beyond it, and leads there. */
export function MoreColumns({ scroll, shape }: Props) {
  const { t } = useTranslation('table')
  const [count, setCount] = useState(0)

  // How far it is scrolled is known to the browser alone.
  useEffect(() => {
    const box = scroll.current
    if (!box) return
    const update = () => setCount(hiddenColumns(box))
    update()
    box.addEventListener('scroll', update, { passive: true })
    return () => box.removeEventListener('scroll', update)
  }, [scroll, shape])
  if (count === 0) return null
  const label = t('moreColumns', { count })

  function go(): void {
    const box = scroll.current
    const isRtl = document.documentElement.dir === 'rtl'
    box?.scrollBy({ left: box.clientWidth * STEP * (isRtl ? -1 : 1) })
  }
  return (
    // The keyboard scrolls by the table's own cells.
    <button type="button" tabIndex={-1} className={classes.more} aria-label={label} title={label} onClick={go}>
      <IconChevronRight size={16} className="flip-rtl" aria-hidden />
    </button>
  )
}

/** Columns of which less than half is in sight at the end edge. */
function hiddenColumns(box: HTMLElement): number {
  const edge = box.getBoundingClientRect()
  const isRtl = document.documentElement.dir === 'rtl'
  return [...box.querySelectorAll('th')].filter((head) => {
    const { left, right } = head.getBoundingClientRect()
    const middle = (left + right) / 2
    return isRtl ? middle < edge.left : middle > edge.right
  }).length
}
