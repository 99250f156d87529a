import { updateConfigProfile, type ConfigProfile } from '@causeway/contract'
import { jsonFault, type JsonFault } from '@causeway/xray'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { CallError } from '../../../api/call-error.ts'
import { excessOf } from '../../../api/call.ts'
import { showError, showFailure } from '../../../api/toasts.ts'
import type { Change } from '../../../api/use-edit-form.ts'
import { useConfirm } from '../../../ui/confirm.tsx'
import { useUpdateConfigProfile } from '../config-profiles.queries.ts'
import { useStartRollout } from '../rollouts/rollouts.queries.ts'
import { usePlanDialog } from './plan-dialog.tsx'
import { readConfig, type Judged } from './use-validator.ts'

export type ProfileText = { text: string }

interface Saving {
  profile: ConfigProfile
  text: string
  textOf: (profile: ConfigProfile) => string
  onSaved: () => void
  onRollout: () => void
  /** Where the text is no JSON, or not all of it would be kept. */
  onFault: (fault: JsonFault) => void
}

/** The ways of a text to the nodes: everywhere at once, or to one of them first; against Xray's word, if somebody wants that. */
export function useSaveProfile({ profile: { uuid, nodes }, text, textOf, onSaved, onRollout, onFault }: Saving) {
  const { t } = useTranslation('profile-editor')
  const [said, setSaid] = useState<{ text: string; verdict: Judged }>()
  const update = useUpdateConfigProfile({
    onSaved: (profile) => {
      onSaved()
      note(textOf(profile), true, null)
    },
    onFailure: (error) => {
      // That nobody answered says nothing of the text.
      if (error instanceof CallError && error.isUnanswered) showFailure(updateConfigProfile, error)
      else note(text, false, (error instanceof CallError ? error.serverMessage : undefined) ?? error.message)
    },
  })
  const start = useStartRollout({ onStarted: onRollout })
  const confirm = useConfirm()
  const { ask, dialog } = usePlanDialog()

  function note(of: string, isValid: boolean, message: string | null): void {
    setSaid({ text: of, verdict: { isValid, message, at: new Date() } })
  }
  /** Xray reads comments and more that JSON has not, and the last of two equal keys; the panel keeps JSON, and all of it. */
  function keptConfig(of: string): Record<string, unknown> | undefined {
    const config = readConfig(of)
    const fault = jsonFault(of)
    if (config !== undefined && !fault) return config
    showError(t('error'), t(fault?.kind === 'lost' ? 'notKept' : 'notJson'))
    if (fault) onFault(fault)
    return undefined
  }
  async function send({ values }: Change<ProfileText>, isFresh: () => Promise<boolean>): Promise<ConfigProfile | undefined> {
    const config = keptConfig(values.text)
    if (config === undefined) return undefined
    const excess = excessOf(updateConfigProfile, JSON.stringify({ uuid, config }))
    if (excess !== undefined) {
      showError(t('error'), excess)
      return undefined
    }
    const decision = await ask({ uuid, config, hasNodes: nodes.length > 0 })
    // A plan is read for a while; what somebody saves meanwhile is not overwritten unseen.
    if (!decision || !(await isFresh())) return undefined
    const { renamed, reason, staged } = decision
    const change = { uuid, config, ...(renamed.length > 0 ? { renamed } : {}), ...(reason === '' ? {} : { reason }) }
    if (staged === undefined) return update.mutateAsync(change)
    await start.mutateAsync({ ...change, ...staged })
    return undefined
  }
  /** Whether somebody wants it saved although it is said to be wrong. */
  async function isMeant(): Promise<boolean> {
    if (keptConfig(text) === undefined) return false
    return confirm({ title: t('anyway.title'), body: t('anyway.body'), action: t('anyway.action'), isDangerous: true })
  }
  return { send, isMeant, said, dialog }
}
