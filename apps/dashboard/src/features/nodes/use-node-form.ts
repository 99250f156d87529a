import { createNode } from '@causeway/contract'
import { useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { fieldErrorsOf } from '../../api/field-errors.ts'
import { useNumberSentence } from '../../ui/inputs/use-number-sentence.ts'
import { providersQuery } from '../infra-billing/infra-billing.queries.ts'
import { pluginsQuery } from '../node-plugins/node-plugins.queries.ts'
import { nodeForm, type NodeForm, type NodeWords } from './node-form.ts'

export function useNodeWords(): NodeWords {
  const { t, i18n } = useTranslation(['nodes', 'ui'])
  const numberProblem = useNumberSentence()
  const providers = useQuery(providersQuery())
  const providerName = (uuid: string | null) => providers.data?.providers.find((provider) => provider.uuid === uuid)?.name
  const plugins = useQuery(pluginsQuery())
  const pluginName = (uuid: string | null) => plugins.data?.nodePlugins.find((plugin) => plugin.uuid === uuid)?.name
  return { t, language: i18n.language, numberProblem, providerName, pluginName }
}

/** The form's own checks, then what the contract has against the rest. */
export function useNodeProblems(): (form: NodeForm) => Record<string, string> {
  const words = useNodeWords()
  return (form) => {
    const checked = createNode.body.partial().safeParse(nodeForm.toWire(form))
    return { ...fieldErrorsOf(checked.error?.issues ?? []), ...nodeForm.problemsOf(form, words) }
  }
}
