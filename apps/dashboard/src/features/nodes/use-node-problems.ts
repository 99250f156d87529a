import { createNode } from '@causeway/contract'
import { useTranslation } from 'react-i18next'
import { fieldErrorsOf } from '../../api/field-errors.ts'
import { type NodeForm, toCreateBody } from './node-form.ts'

/** The form's own check: what is missing, then what the contract has against the rest. */
export function useNodeProblems(): (form: NodeForm) => Record<string, string> {
  const { t } = useTranslation('nodes')
  return (form) => {
    const problems: Record<string, string> = {}
    if (form.name.trim() === '') problems['name'] = t('problem.name')
    if (form.address.trim() === '') problems['address'] = t('problem.address')
    if (form.port === '') problems['port'] = t('problem.port')
    if (form.configProfile.uuid === null) problems['configProfile'] = t('problem.configProfile')
    const body = toCreateBody(form)
    const checked = body === undefined ? undefined : createNode.body.safeParse(body)
    return { ...fieldErrorsOf(checked?.error?.issues ?? []), ...problems }
  }
}
