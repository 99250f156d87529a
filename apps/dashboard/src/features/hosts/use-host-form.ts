import { createHost } from '@causeway/contract'
import { useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { fieldErrorsOf } from '../../api/field-errors.ts'
import { useNumberSentence } from '../../ui/inputs/use-number-sentence.ts'
import { nodesQuery } from '../nodes/nodes.queries.ts'
import { hostForm, type HostForm, type HostWords } from './host-form.ts'

export function useHostWords(): HostWords {
  const { t } = useTranslation(['hosts', 'ui'])
  const numberProblem = useNumberSentence()
  const nodes = useQuery(nodesQuery(false)).data ?? []
  return { t, numberProblem, nodeName: (uuid) => nodes.find((node) => node.uuid === uuid)?.name ?? uuid }
}

/** The form's own checks, then what the contract has against the rest. */
export function useHostProblems(options: { isInboundRequired: boolean }): (form: HostForm) => Record<string, string> {
  const words = useHostWords()
  return (form) => {
    const checked = createHost.body.partial().safeParse(hostForm.toWire(form))
    const isInboundMissing = form.inbound === null && options.isInboundRequired
    return {
      ...fieldErrorsOf(checked.error?.issues ?? []),
      ...hostForm.problemsOf(form, words),
      ...(isInboundMissing ? { inbound: words.t('problem.inbound') } : {}),
    }
  }
}
