import { Button, TextInput } from '@mantine/core'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { dateFormat } from '../../lib/numbers/formats.ts'
import { readTime } from '../../lib/time/read-date.ts'
import classes from './date-field.module.css'
import { OWN_ESCAPE } from '../frames/own-escape.ts'

interface Props {
  /** HH:mm */
  time: string
  times: readonly string[]
  locale: string
  onChange: (time: string) => void
  onDone: () => void
}

/** The time of a day, typed or one of the usual ones. */
export function DateTime({ time, times, locale, onChange, onDone }: Props) {
  const { t } = useTranslation('ui')
  const clock = dateFormat(locale, { hour: '2-digit', minute: '2-digit', hourCycle: 'h23', timeZone: 'UTC' })
  const inWords = (one: string) => clock.format(new Date(`1970-01-01T${one}:00Z`))
  const [text, setText] = useState(() => inWords(time))

  const read = readTime(text)
  const [isTold, setTold] = useState(false)

  /** Whether there was a time to take. */
  function settle(): boolean {
    setTold(read === undefined)
    if (read !== undefined && read !== time) onChange(read)
    return read !== undefined
  }
  return (
    <div className={classes['time']}>
      {times.length > 0 && (
        <div className={classes['times']} role="group" aria-label={t('calendar.times')}>
          {times.map((one) => (
            <Button
              key={one}
              size="compact-xs"
              variant={one === time ? 'light' : 'default'}
              aria-pressed={one === time}
              onClick={() => onChange(one)}
              {...OWN_ESCAPE}
            >
              {inWords(one)}
            </Button>
          ))}
        </div>
      )}
      <div className={classes['timeLine']}>
        <TextInput
          size="xs"
          className={classes['timeField']!}
          label={t('calendar.time')}
          dir="ltr"
          value={text}
          error={isTold && read === undefined ? t('calendar.badTime') : undefined}
          onChange={(event) => setText(event.currentTarget.value)}
          onBlur={settle}
          onKeyDown={(event) => {
            if (event.key !== 'Enter') return
            event.preventDefault()
            if (settle()) onDone()
          }}
          {...OWN_ESCAPE}
        />
        <Button size="xs" onClick={() => settle() && onDone()} {...OWN_ESCAPE}>
          {t('calendar.done')}
        </Button>
      </div>
    </div>
  )
}
