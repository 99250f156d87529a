import { createHost } from '@causeway/contract'
import { useTranslation } from 'react-i18next'
import { fieldErrorsOf } from '../../api/field-errors.ts'
import { PORT_RULE } from '../../lib/numbers/number-entry.ts'
import { useNumberSentence } from '../../ui/inputs/use-number-sentence.ts'
import { type HostForm, isJsonText, toHostBody } from './host-form.ts'

/** The form's own check: what is missing, then what the contract has against the rest. */
export function useHostProblems(options: { isInboundRequired: boolean }): (form: HostForm) => Record<string, string> {
  const { t } = useTranslation('hosts')
  const sentenceOf = useNumberSentence()
  return (form) => {
    const problems: Record<string, string> = {}
    if (form.remark.trim() === '') problems['remark'] = t('problem.remark')
    if (form.address.trim() === '') problems['address'] = t('problem.address')
    const port = form.port === '' ? t('problem.port') : sentenceOf(form.port, PORT_RULE)
    if (port !== null) problems['port'] = port
    if (form.inbound === null && options.isInboundRequired) problems['inbound'] = t('problem.inbound')
    if (!isJsonText(form.xHttpExtraText)) problems['xHttpExtraText'] = t('extra.invalid')
    // Whatever is missing still, what is there is held against the contract.
    const checked = createHost.body.partial().safeParse(toHostBody(form))
    return { ...fieldErrorsOf(checked.error?.issues ?? []), ...problems }
  }
}
