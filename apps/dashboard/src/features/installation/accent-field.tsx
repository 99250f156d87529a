import { accentColor, accentShades, type AccentScheme } from '@causeway/contract'
import { ColorInput, Input, UnstyledButton } from '@mantine/core'
import { IconCheck } from '@tabler/icons-react'
import { useId, type ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import classes from './accent-field.module.css'

/** The product's own, which null stands for. */
const OWN = '#22b8cf'
/** None of them is the red, amber or green of a state. */
const PRESETS = { own: OWN, blue: '#3b82f6', indigo: '#6366f1', violet: '#9061f9', magenta: '#d946a8', slate: '#7c8ba1' } as const
const NAMES = ['own', 'blue', 'indigo', 'violet', 'magenta', 'slate'] as const

interface Props {
  value: string | null
  onChange: (value: string | null) => void
  error: ReactNode
}

/** The colour of actions: a preset or any other, with samples in both themes. */
export function AccentField({ value, onChange, error }: Props) {
  const { t } = useTranslation('installation')
  const id = useId()
  const color = accentColor.safeParse(value ?? OWN).data
  return (
    <Input.Wrapper label={t('accent.label')} description={t('accent.hint')} labelElement="div" labelProps={{ id }}>
      <div role="group" aria-labelledby={id} className={classes['presets']}>
        {NAMES.map((name) => {
          const preset = name === 'own' ? null : PRESETS[name]
          return (
            <UnstyledButton
              key={name}
              className={classes['preset']}
              aria-pressed={value === preset}
              onClick={() => onChange(preset)}
            >
              <span className={classes['dot']} style={{ background: PRESETS[name] }}>
                {value === preset && <IconCheck size={14} stroke={3} aria-hidden />}
              </span>
              {t(`accent.${name}`)}
            </UnstyledButton>
          )
        })}
      </div>
      <ColorInput
        aria-label={t('accent.other')}
        format="hex"
        value={value ?? OWN}
        onChange={(text) => onChange(text === OWN ? null : text)}
        error={error}
        withEyeDropper={false}
        popoverProps={{ withinPortal: true }}
        maw={200}
      />
      {color !== undefined && (
        <div className={classes['samples']} aria-hidden>
          <Sample color={color} scheme="light" />
          <Sample color={color} scheme="dark" />
        </div>
      )}
    </Input.Wrapper>
  )
}

/** A link, a button and a badge in that theme. */
function Sample({ color, scheme }: { color: string; scheme: AccentScheme }) {
  const { t } = useTranslation('installation')
  const { accent, filled, onFilled, tint, onTint } = accentShades(color, scheme)
  return (
    <div className={classes['sample']} data-theme={scheme}>
      <span style={{ color: accent, textDecoration: 'underline' }}>{t('accent.sampleLink')}</span>
      <span className={classes['button']} style={{ background: filled, color: onFilled }}>
        {t('accent.sampleButton')}
      </span>
      <span className={classes['badge']} style={{ background: tint, color: onTint }}>
        {t('accent.sampleBadge')}
      </span>
    </div>
  )
}
