import { useTranslation } from 'react-i18next'
import classes from './country-flag.module.css'

/** The flag of a two-letter code. Nothing for XX, which means unknown. */
export function CountryFlag({ code }: { code: string }) {
  const { i18n } = useTranslation()
  const flag = flagEmoji(code)
  if (flag === undefined) return null
  const name = new Intl.DisplayNames([i18n.language], { type: 'region' }).of(code.toUpperCase()) ?? code
  return (
    <span role="img" aria-label={name} title={name} className={classes['flag']}>
      {flag}
    </span>
  )
}

function flagEmoji(code: string): string | undefined {
  const letters = code.toUpperCase()
  if (!/^[A-Z]{2}$/.test(letters) || letters === 'XX') return undefined
  return String.fromCodePoint(...Array.from(letters, (letter) => 0x1f1a5 + letter.charCodeAt(0)))
}
