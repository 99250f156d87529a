import { DateInput, type DateInputProps } from '@mantine/dates'
import '@mantine/dates/styles.layer.css'
import dayjs from 'dayjs'
import 'dayjs/locale/fa'
import 'dayjs/locale/ru'
import 'dayjs/locale/zh-cn'
import { useTranslation } from 'react-i18next'
import { dateFormat } from '../../lib/formats.ts'

/** A day of the reader's calendar, chosen or typed; its value is YYYY-MM-DD. */
export function DayField(props: DateInputProps) {
  const { i18n } = useTranslation()
  const format = dateFormat(i18n.language, { dateStyle: 'medium' })
  return (
    <DateInput
      locale={i18n.language === 'zh' ? 'zh-cn' : i18n.language}
      valueFormat={(day) => format.format(dayjs(day).toDate())}
      popoverProps={{ withinPortal: true }}
      {...props}
    />
  )
}
