import { SegmentedControl, Select, useMantineColorScheme, type MantineColorScheme } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { LANGUAGES } from '../../../lib/languages.ts'
import classes from './account.module.css'

const THEMES: readonly MantineColorScheme[] = ['auto', 'light', 'dark']

/** Language and theme of this browser. Both apply at once. */
export function AppearanceFields() {
  const { t, i18n } = useTranslation()
  const { t: account } = useTranslation('account')
  const { colorScheme, setColorScheme } = useMantineColorScheme()
  return (
    <div className={classes['fields']}>
      <Select
        label={t('language')}
        description={account('appearance.hint')}
        allowDeselect={false}
        data={LANGUAGES.map(({ code, name }) => ({ value: code, label: name }))}
        value={i18n.resolvedLanguage ?? null}
        onChange={(code) => code !== null && void i18n.changeLanguage(code)}
      />
      <div>
        <p className={classes['label']} id="theme-label">
          {t('theme.label')}
        </p>
        <SegmentedControl
          fullWidth
          aria-labelledby="theme-label"
          data={THEMES.map((scheme) => ({ value: scheme, label: t(`theme.${scheme}`) }))}
          value={colorScheme}
          onChange={(scheme) => setColorScheme(scheme as MantineColorScheme)} // one of THEMES
        />
      </div>
    </div>
  )
}
