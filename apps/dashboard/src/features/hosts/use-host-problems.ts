import { createHost } from '@causeway/contract'
import { useTranslation } from 'react-i18next'
import { fieldErrorsOf } from '../../api/field-errors.ts'
import { type HostForm, isJsonText, toHostBody } from './host-form.ts'

/** The form's own check: what is missing, then what the contract has against the rest. */
export function useHostProblems(options: { isInboundRequired: boolean }): (form: HostForm) => Record<string, string> {
  const { t } = useTranslation('hosts')
  return (form) => {
    const problems: Record<string, string> = {}
    if (form.remark.trim() === '') problems['remark'] = t('problem.remark')
    if (form.address.trim() === '') problems['address'] = t('problem.address')
    if (form.port === '') problems['port'] = t('problem.port')
    if (form.inbound === null && options.isInboundRequired) problems['inbound'] = t('problem.inbound')
    if (!isJsonText(form.xHttpExtraText)) problems['xHttpExtraText'] = t('extra.invalid')
    // Whatever is missing still, what is there is held against the contract.
    const checked = createHost.body.partial().safeParse(toHostBody(form))
    return { ...fieldErrorsOf(checked.error?.issues ?? []), ...problems }
  }
}
