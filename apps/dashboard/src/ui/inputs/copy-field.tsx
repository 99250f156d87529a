import { ActionIcon, Input } from '@mantine/core'
import { IconCheck, IconCopy } from '@tabler/icons-react'
import { useId } from 'react'
import { useTranslation } from 'react-i18next'
import { Tooltip } from '../frames/tooltip.tsx'
import classes from './copy-field.module.css'
import { MiddleText } from '../middle-text.tsx'
import { COPY_FEEDBACK_MS, useCopy } from './use-copy.ts'

interface ButtonProps {
  value: string
  /** The accessible label of the icon: 'Copy public key'. */
  label: string
  feedbackMs?: number
  /** It takes the place of what had the focus, and is what comes next. */
  isNext?: boolean
}

export function CopyButton({ value, label, feedbackMs = COPY_FEEDBACK_MS, isNext = false }: ButtonProps) {
  const { t } = useTranslation('ui')
  const { isCopied, copy } = useCopy(feedbackMs)
  return (
    <Tooltip label={isCopied ? t('copied') : label}>
      <ActionIcon
        aria-label={isCopied ? t('copied') : label}
        color={isCopied ? 'teal' : 'gray'}
        // oxlint-disable-next-line jsx-a11y/no-autofocus -- the button that was pressed is gone
        autoFocus={isNext}
        onClick={(event) => {
          event.stopPropagation()
          void copy(value)
        }}
      >
        {isCopied ? <IconCheck size={16} /> : <IconCopy size={16} />}
      </ActionIcon>
    </Tooltip>
  )
}

interface FieldProps {
  label: string
  value: string
  description?: string
  /** Shows all of a long value on several lines. */
  isWhole?: boolean
  isNext?: boolean
  feedbackMs?: number
}

/** A value that is there to be copied: identifiers, keys, links. */
export function CopyField(props: FieldProps) {
  const { label, value, description, isWhole = false, isNext = false, feedbackMs = COPY_FEEDBACK_MS } = props
  const { t } = useTranslation('ui')
  const id = useId()
  return (
    <Input.Wrapper label={label} description={description} id={id} labelElement="div">
      <div className={classes['field']} role="group" aria-label={label}>
        <span className={classes['value']} data-whole={isWhole || undefined}>
          {isWhole ? <span dir="ltr">{value}</span> : <MiddleText text={value} />}
        </span>
        <CopyButton value={value} label={t('copyNamed', { name: label })} feedbackMs={feedbackMs} isNext={isNext} />
      </div>
    </Input.Wrapper>
  )
}
