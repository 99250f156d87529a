import { Button, Progress, Text } from '@mantine/core'
import { IconCircleCheck, IconCircleX, IconInfoCircle } from '@tabler/icons-react'
import type { Ref } from 'react'
import { useTranslation } from 'react-i18next'
import classes from './editor.module.css'
import type { Place } from '@causeway/xray'
import type { Checker } from './use-validator.ts'
import { clockText, type Verdict } from './verdict.ts'

interface Props {
  verdict: Verdict | undefined
  checker: Checker
  onGo: (place: Place) => void
  /** It takes the focus when a save was refused, because the button that had it is disabled then. */
  ref: Ref<HTMLDivElement>
}

/** The verdict on the text and its judge, beside the buttons that save. */
export function VerdictBox({ verdict, checker, onGo, ref }: Props) {
  const { t } = useTranslation('profile-editor')
  if (checker.phase === 'loading') return <LoadingEngine checker={checker} />
  return (
    <>
      {checker.phase === 'server' && (
        <p className={classes['stand-in']}>
          <IconInfoCircle size={16} aria-hidden />
          <span>{t(checker.why)}</span>
        </p>
      )}
      <div
        className={classes['verdict']}
        data-state={verdict === undefined ? 'none' : verdict.isValid ? 'good' : 'bad'}
        role="status"
        aria-atomic="false"
        ref={ref}
        tabIndex={-1}
      >
        {verdict?.isValid === true && <IconCircleCheck size={18} aria-hidden />}
        {verdict?.isValid === false && <IconCircleX size={18} aria-hidden />}
        <Text size="sm" component="span" className={classes['said']}>
          {verdict === undefined ? (
            <span aria-live="off">{t('checking')}</span>
          ) : (
            <>
              {/* It changes with every key: read aloud is only what it says. */}
              <bdi aria-live="off">{clockText(verdict.at)}</bdi> <bdi>{verdict.message ?? t('valid')}</bdi>
            </>
          )}
        </Text>
        {verdict?.place && <GoButton place={verdict.place} onGo={onGo} />}
      </div>
    </>
  )
}

function GoButton({ place, onGo }: { place: Place; onGo: (place: Place) => void }) {
  const { t } = useTranslation('profile-editor')
  return (
    <Button variant="default" size="compact-sm" onClick={() => onGo(place)}>
      {t('go', { line: place.line })}
    </Button>
  )
}

/** Tens of megabytes the first time; later the browser has them. The text can be read and changed meanwhile. */
export function LoadingEngine({ checker, isAlone }: { checker: Checker; isAlone?: boolean }) {
  const { t } = useTranslation('profile-editor')
  const percent = checker.phase === 'loading' ? Math.round(checker.share * 100) : 100
  return (
    <div className={classes['loading']} data-alone={isAlone || undefined} role="status">
      <Progress value={percent} aria-label={t('loading')} mb="sm" animated />
      <Text size="sm">{t('loading')}</Text>
    </div>
  )
}
