import classes from './middle-text.module.css'

/** How much of the end always shows. */
const TAIL = 10

/** One line of a long identifier or link. Where room lacks, its middle is left out: people compare the ends. */
export function MiddleText({ text }: { text: string }) {
  return (
    <span className={classes['text']} dir="ltr" title={text}>
      <span className={classes['head']}>{text.slice(0, -TAIL)}</span>
      <span className={classes['tail']}>{text.slice(-TAIL)}</span>
    </span>
  )
}
