import { createNode } from '@causeway/contract'
import { useTranslation } from 'react-i18next'
import { fieldErrorsOf } from '../../api/field-errors.ts'
import { isHostAddress } from '@causeway/contract'
import { useNumberSentence } from '../../ui/inputs/use-number-sentence.ts'
import { NUMBER_RULES, TRACKING_NAMES, toCreateBody, type NodeForm } from './node-form.ts'

/** The form's own check: what is missing, then what the contract has against the rest. */
export function useNodeProblems(): (form: NodeForm) => Record<string, string> {
  const { t } = useTranslation(['nodes', 'ui'])
  const sentenceOf = useNumberSentence()
  return (form) => {
    const problems: Record<string, string> = {}
    if (form.name.trim() === '') problems['name'] = t('problem.name')
    const address = form.address.trim()
    if (address === '') problems['address'] = t('problem.address')
    else if (!isHostAddress(address)) problems['address'] = t('problem.addressUnusable')
    const port = form.port === '' ? t('problem.port') : sentenceOf(form.port, NUMBER_RULES.port)
    if (port !== null) problems['port'] = port
    for (const name of form.isTrafficTrackingActive ? TRACKING_NAMES : []) {
      const said = form[name] === '' ? t('ui:number.missing') : sentenceOf(form[name], NUMBER_RULES[name])
      if (said !== null) problems[name] = said
    }
    if (form.configProfile.uuid === null) problems['configProfile'] = t('problem.configProfile')
    const body = toCreateBody(form)
    const checked = body === undefined ? undefined : createNode.body.safeParse(body)
    return { ...fieldErrorsOf(checked?.error?.issues ?? []), ...problems }
  }
}
